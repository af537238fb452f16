#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>

namespace qs::core {

// Whether more samples still bring new values: the Shannon entropy of the distribution of exact
// timings, watched over the last samples, no longer rises along a line (nvbench's criterion
// "entropy", with its figures). Suits clocks that are coarse beside the spread of the samples; a
// clock that never gives the same value twice needs some 1900 samples.
class EntropyWatch final
{
public:
    void add(double sampleSeconds);

    // Bits; 0 without samples.
    [[nodiscard]] double entropy() const;
    [[nodiscard]] bool settled() const;

private:
    static constexpr std::size_t kWindow = 299;

    std::unordered_map<double, std::size_t> m_counts;
    double m_weighted = 0.0;  // sum of c log2 c over the values
    std::size_t m_samples = 0;
    std::array<double, kWindow> m_entropies{};  // of the last samples, a ring
};

}  // namespace qs::core
