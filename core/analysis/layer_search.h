#pragma once

#include "core/analysis/sensitivity.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"
#include "core/sweep/gate.h"

#include <cstddef>
#include <optional>
#include <string>

namespace qs::core {

// Note [Greedy search]
// Parts are kept unquantized in the order of their loss for what quantizing them brings, so that
// each one kept gives back as little as possible. How many have to be is found by halving: quality
// with more parts kept is taken to be no worse, so that a dozen measured cells do for a thousand
// parts.
class GreedySearch final
{
public:
    // Of so many parts; none kept is known to fail, all kept is the reference, which meets any
    // limit.
    explicit GreedySearch(std::size_t parts) : m_meets(parts) {}

    // How many to keep in the cell that has to be measured now; nothing at the end.
    [[nodiscard]] std::optional<std::size_t> next() const;
    void told(std::size_t kept, bool meetsLimit);
    // At the end: the fewest that meet it.
    [[nodiscard]] std::size_t fewest() const { return m_meets; }

private:
    std::size_t m_fails = 0;
    std::size_t m_meets;
};

// The same with cells of a run: whoever holds it measures the cells that it asks for, in the order
// in which it does. A plain value; for both the command line and the window.
class LayerSearch final
{
public:
    // `whole`: the cell of sensitivity.wholeId.
    LayerSearch(Sensitivity sensitivity, CellConfig whole);

    [[nodiscard]] std::size_t parts() const { return m_sensitivity.parts.size(); }
    // How many parts stay unquantized in the cell that is wanted now; nothing at the end.
    [[nodiscard]] std::optional<std::size_t> kept() const;
    // That cell; only before the end.
    [[nodiscard]] CellConfig wanted() const;
    // Whether it meets the limit.
    void told(bool meetsLimit);

    // At the end: the filter that leaves the fewest parts unquantized. Nothing if only leaving all
    // of them does.
    [[nodiscard]] std::optional<std::string> filter() const;

private:
    Sensitivity m_sensitivity;
    CellConfig m_whole;
    std::optional<bool> m_wholeMeets;
    GreedySearch m_greedy;
};

// What was measured of that configuration; null if it was not, or was not compared with its
// reference yet. Reruns are left out.
[[nodiscard]] const CellSummary* findMeasured(const Analysis& analysis, const CellConfig& config);

// Outputs that equal those of the reference meet any limit. An error if the cell has no number of
// that metric.
[[nodiscard]] Result<bool> meetsLimit(const Gate& limit, const CellSummary& summary);

}  // namespace qs::core
