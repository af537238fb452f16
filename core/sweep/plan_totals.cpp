#include "core/sweep/plan.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace qs::core {

const PlannedCell* Plan::find(const std::string& id) const
{
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const PlannedCell& cell) { return cell.id == id; });
    return found == cells.end() ? nullptr : &*found;
}

int Plan::possibleCells() const
{
    return static_cast<int>(std::count_if(cells.begin(), cells.end(),
                                          [](const PlannedCell& cell) { return cell.possible(); }));
}

int Plan::rounds() const
{
    int rounds = preset.rounds;
    for (const PlannedCell& cell : cells) {
        for (const RoundSpan& span : cell.rounds)
            rounds = std::max(rounds, span.end());
    }
    return rounds;
}

bool Plan::hasRound(const PlannedCell& cell, int round) const
{
    if (cell.rounds.empty())
        return round >= 0 && round < preset.rounds;
    return std::any_of(cell.rounds.begin(), cell.rounds.end(), [&](const RoundSpan& span) {
        return round >= span.first && round < span.end();
    });
}

int Plan::roundsOf(const PlannedCell& cell) const
{
    if (cell.rounds.empty())
        return preset.rounds;
    return std::accumulate(cell.rounds.begin(), cell.rounds.end(), 0,
                           [](int sum, const RoundSpan& span) { return sum + span.count; });
}

void Plan::addRounds(PlannedCell& cell, const RoundSpan& span) const
{
    if (cell.rounds.empty())
        cell.rounds.push_back({0, preset.rounds});
    cell.rounds.push_back(span);
}

int Plan::plannedRows() const
{
    int rows = 0;
    for (const PlannedCell& cell : cells)
        rows += cell.possible() ? roundsOf(cell) : 0;
    return rows;
}

double Plan::estimatedSeconds() const
{
    double seconds = 0.0;
    for (const PlannedCell& cell : cells)
        seconds += cell.possible() ? roundsOf(cell) * cell.estimatedSeconds : 0.0;
    return seconds;
}

double Plan::compileSeconds() const
{
    double seconds = 0.0;
    for (const PlannedCell& cell : cells)
        seconds += cell.possible() ? roundsOf(cell) * cell.compileSeconds : 0.0;
    return seconds;
}

std::int64_t Plan::estimatedBytes() const
{
    constexpr std::int64_t kArrayBytes = 12;        // of a pixel: three float32
    constexpr std::int64_t kPngBytes = 3;           // of a pixel; photographs compress little
    constexpr std::int64_t kJournalBytes = 10'000;  // of a row with its samples and quality figures
    const std::int64_t kept = std::min<std::int64_t>(preset.pictures.count, kKeptOutputs);
    std::int64_t bytes = 0;
    std::set<std::int64_t> sizes;
    for (const PlannedCell& cell : cells) {
        if (!cell.possible())
            continue;
        const std::int64_t pixels = cell.config.imageSize * cell.config.imageSize;
        bytes += kept * pixels * (kArrayBytes + kPngBytes) + roundsOf(cell) * kJournalBytes;
        if (sizes.insert(cell.config.imageSize).second)
            bytes += preset.pictures.count * pixels * (kArrayBytes + kPngBytes);
    }
    return bytes;
}

}  // namespace qs::core
