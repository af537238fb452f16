#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace qs::core {

// Note [Moderated variances]
// Three rounds tell little of the variance of one comparison: two degrees of freedom ask for a
// difference of ten standard errors. All comparisons of a run together tell a lot: their variances
// follow a scaled F distribution, of which the scale and d0, the degrees of freedom that the run
// lends to each comparison, are estimated by the moments of the logarithms (Smyth 2004). What a
// comparison itself has seen and what the run says are then weighed by their degrees of freedom.
// Cells that wait for the host are ten times as noisy as those that wait for the device, and it
// shows inside a round already: the scale is a power of the spread within the rounds, a straight
// line on logarithms, where that explains anything.
//
// A run lends less than these estimates say. Log variances have long tails, so that their spread is
// taken 1.75 standard errors larger than it looks. Noise that nothing foretells is rare by nature:
// n comparisons lend n / 4 degrees of freedom at most, and fewer than eight nothing. Comparisons
// with the same baseline share its rounds: however many they are, they cannot know the half of
// their variance that is its own better than its rounds do.
struct VarianceSample {
    double variance = 0.0;
    double freedom = 1.0;               // degrees of it, > 0
    std::optional<double> spread = {};  // ln of the variance inside the rounds

    bool operator==(const VarianceSample&) const = default;
};

struct PriorRule {
    double standardErrors = 1.75;    // see the note; as are the others
    double samplesPerFreedom = 4.0;  // 0: no limit
    std::size_t fewestSamples = 8;
    std::size_t fewestForSpread = 10;  // a line through fewer points finds what is not there
};

// What all comparisons of a run say of the variance of one.
class VariancePrior final
{
public:
    // Nothing is lent.
    VariancePrior() = default;

    // d0; infinite if all variances are as equal as chance allows.
    [[nodiscard]] double freedom() const { return m_freedom; }
    // s0² of a comparison with that spread; > 0 if freedom() is.
    [[nodiscard]] double varianceAt(std::optional<double> spread) const;
    // Weighed with what the comparison has seen itself.
    [[nodiscard]] VarianceSample moderated(const VarianceSample& own) const;

private:
    friend VariancePrior fitVariancePrior(std::span<const VarianceSample> samples,
                                          std::size_t baselines, const PriorRule& rule);

    double m_freedom = 0.0;
    double m_mostFreedom = 0.0;  // of the moderated variance
    double m_intercept = 0.0;    // of ln s0² over the spread
    double m_slope = 0.0;
};

// `baselines`: how many different ones the comparisons have.
[[nodiscard]] VariancePrior fitVariancePrior(std::span<const VarianceSample> samples,
                                             std::size_t baselines, const PriorRule& rule = {});

}  // namespace qs::core
