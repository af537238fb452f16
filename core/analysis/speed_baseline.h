#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/counted_rounds.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// Fewer rounds than this give no interval: with two, the t distribution makes it meaninglessly
// wide.
inline constexpr std::size_t kRoundsForInterval = 3;

// Finds the cell that each cell's ratio is formed with, and forms it.
class SpeedBaseline final
{
public:
    // `choice`: see analyse(). All arguments must outlive the object.
    SpeedBaseline(const Plan& plan, const CountedRounds& rounds, std::string choice);

    // Fills the baseline and the speed-up of a cell, of the rounds that both have and that cancel
    // drift, see Note [Rounds far apart]; of all their rounds if they share too few for an interval
    // and have enough apart. A chosen cell is the
    // baseline of all cells of its batch and image size; for the others it is the cell that differs
    // from the chosen one in nothing else, since seconds per pass of different batches cannot be
    // compared. Nothing stands against a cell whose inputs wait elsewhere or whose worker has other
    // variables.
    void fill(std::size_t cell, CellSummary& summary);

private:
    // The fastest of those that were timed.
    struct Best {
        std::optional<std::size_t> cell;
        int candidates = 0;
    };

    [[nodiscard]] std::optional<std::size_t> baselineOf(std::size_t cell);
    // How many cells could have been the baseline of this one. See Note [The best as baseline] in
    // core/stats/verdict.h.
    [[nodiscard]] int candidatesFor(std::size_t cell);
    [[nodiscard]] const Best& bestCell(std::size_t cell);
    [[nodiscard]] bool isFaster(std::size_t cell, std::size_t other,
                                const std::string& environment) const;
    void compare(std::size_t cell, std::size_t baseline, int candidates,
                 CellSummary& summary) const;
    [[nodiscard]] std::optional<std::size_t> framedCell(std::size_t cell) const;
    [[nodiscard]] std::optional<std::size_t> indexOf(const std::string& id) const;

    const Plan& m_plan;
    const CountedRounds& m_rounds;
    std::string m_choice;
    std::unordered_map<std::string, std::size_t> m_indices;
    std::map<std::pair<std::string, std::string>, Best> m_bestKnown;  // by frame and environment
    bool m_isBest = false;
    const PlannedCell* m_chosen = nullptr;  // by its id, if it was
    std::vector<std::string> m_frames;      // of each cell
    // Cells that can be baselines by their frames.
    std::unordered_map<std::string, std::vector<std::size_t>> m_framed;
};

}  // namespace qs::core
