#pragma once

#include "core/base/enum_names.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace qs::core {

// Some of up to 32 things, each a bit.
using Subset = std::uint32_t;

// What is looked for: the least of one of these.
enum class SubsetObjective {
    Time,       // of a pass
    Memory,     // at the peak
    BreakEven,  // passes after which it has won over choosing nothing, see Note [Break-even]
};
inline constexpr auto kSubsetObjectives =
    enumNames<SubsetObjective>({{SubsetObjective::Time, "time"},
                                {SubsetObjective::Memory, "memory"},
                                {SubsetObjective::BreakEven, "break-even"}});

// Of the cell that chooses a subset; all above 0.
struct SubsetFigures {
    double seconds = 0.0;       // of a pass
    double bytes = 0.0;         // at the peak; 0: not known
    double beginSeconds = 0.0;  // until the end of the first call, compiling included

    bool operator==(const SubsetFigures&) const = default;
};

// A search ends when either is spent.
struct SubsetBudget {
    std::size_t subsets = 0;
    double seconds = std::numeric_limits<double>::infinity();  // of measuring
};

// Note [Best subset]
// Which regions are worth compiling? Each choice costs a cell, and n regions have 2^n choices. The
// search begins with none and each alone, and predicts the rest: the logarithms of time and memory,
// and the seconds that beginning takes, are taken to be sums over the things chosen and over the
// pairs of them that were measured together. It asks for the best prediction, learns from what it
// is told, and goes on until as many predictions as there are things brought nothing better, or the
// budget is spent. A budget of 2^n looks at all of them. Else what misses the limit on quality is
// taken to miss it with more chosen, too: each of them adds to the distance.
class SubsetSearch final
{
public:
    SubsetSearch(std::size_t things, SubsetObjective objective, SubsetBudget budget);

    // What to measure now; nothing at the end.
    [[nodiscard]] std::optional<Subset> next() const;
    // Its figures, whether the limit on quality is met, and how long it took to measure.
    void told(Subset subset, const SubsetFigures& figures, bool meetsLimit,
              double spentSeconds = 0.0);

    // The best of those that meet the limit; nothing if none does, or none breaks even.
    [[nodiscard]] std::optional<Subset> best() const;
    [[nodiscard]] std::size_t measured() const { return m_told.size(); }
    // Of the objective, predicted or as it was told: seconds, bytes or passes, which are infinite
    // where it never wins.
    [[nodiscard]] double cost(Subset subset) const;

private:
    using Figure = double SubsetFigures::*;

    [[nodiscard]] bool looksAtAll() const;
    [[nodiscard]] bool isAllowed(Subset subset) const;
    [[nodiscard]] double predicted(Figure figure, Subset subset) const;
    [[nodiscard]] std::optional<Subset> bestPrediction() const;

    std::size_t m_things;
    SubsetObjective m_objective;
    SubsetBudget m_budget;
    double m_spentSeconds = 0.0;
    std::map<Subset, SubsetFigures> m_told;
    std::vector<Subset> m_refused;      // that missed the limit
    std::size_t m_disappointments = 0;  // predictions in a row that brought nothing better
};

}  // namespace qs::core
