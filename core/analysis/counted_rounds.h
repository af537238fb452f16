#pragma once

#include "core/analysis/run_figures.h"
#include "core/sweep/plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// The row of a round that counts.
struct CountedRound {
    const RowFigures* row = nullptr;

    // The median of its passes; 0 without samples.
    [[nodiscard]] double seconds() const { return row->seconds; }
    [[nodiscard]] bool timed() const { return row->ok() && row->seconds > 0.0; }
};

// Whether each picture came out the same in all ok rounds of one environment; nothing if none was
// made twice.
[[nodiscard]] std::optional<bool> outputsRepeat(const std::vector<CountedRound>& rounds);

// The hashes of all pictures of the first ok round that has some: the same text of two cells means
// that their outputs are the same bit by bit. Empty if any is not known.
[[nodiscard]] std::string outputsText(const std::vector<CountedRound>& rounds);

// Of one cell: in each environment, the rounds in ascending order.
using RoundsByEnvironment = std::map<std::string, std::vector<CountedRound>>;

// Which rows count. A round counts once: its first ok attempt, because a retry never overwrites,
// else its last attempt. Rounds that were cancelled or skipped tell nothing about the cell and are
// left out if it has others. Figures come from one environment, so that they can be compared: the
// one with the most ok rounds of the whole run, or, if the cell was never ok there, that with most
// of its own.
class CountedRounds final
{
public:
    // `figures` must outlive the object.
    CountedRounds(const Plan& plan, const RunFigures& figures);

    // In the order of the plan's cells.
    [[nodiscard]] const RoundsByEnvironment& ofCell(std::size_t cell) const
    {
        return m_cells[cell];
    }
    // The environment that the figures of a cell come from; empty if the run has no rows.
    [[nodiscard]] std::string environmentOf(std::size_t cell) const;
    [[nodiscard]] const std::vector<CountedRound>& rounds(std::size_t cell,
                                                          const std::string& environment) const;
    // Geometric mean over the rounds, in seconds per pass; nothing if no round was timed.
    [[nodiscard]] std::optional<double> meanSeconds(std::size_t cell,
                                                    const std::string& environment) const;

private:
    std::vector<RoundsByEnvironment> m_cells;
    std::string m_mainEnvironment;
};

}  // namespace qs::core
