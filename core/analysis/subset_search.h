#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace qs::core {

// Some of up to 32 things, each a bit.
using Subset = std::uint32_t;

// Note [Best subset]
// Which regions are worth compiling? Each choice costs a cell, and n regions have 2^n choices. The
// search begins with none and each alone, and predicts the rest: the logarithm of the time is taken
// to be a sum over the things chosen and over the pairs of them that were measured together. It
// asks for the best prediction, learns from what it is told, and goes on until as
// many predictions as there are things brought nothing better, or the budget is spent. A budget of
// 2^n looks at all of them.
class SubsetSearch final
{
public:
    SubsetSearch(std::size_t things, std::size_t budget);

    // What to measure now; nothing at the end.
    [[nodiscard]] std::optional<Subset> next() const;
    // Time of a pass, and whether the limit on quality is met.
    void told(Subset subset, double seconds, bool meetsLimit);

    // The fastest of those that meet the limit; nothing if none does.
    [[nodiscard]] std::optional<Subset> best() const;
    [[nodiscard]] std::size_t measured() const { return m_seconds.size(); }
    // Predicted, or as it was told.
    [[nodiscard]] double seconds(Subset subset) const;

private:
    [[nodiscard]] bool isAllowed(Subset subset) const;
    [[nodiscard]] double effect(Subset subset) const;
    [[nodiscard]] std::optional<Subset> bestPrediction() const;

    std::size_t m_things;
    std::size_t m_budget;
    std::map<Subset, double> m_seconds;
    std::vector<Subset> m_refused;      // that missed the limit
    std::size_t m_disappointments = 0;  // predictions in a row that brought nothing better
};

}  // namespace qs::core
