#include "core/analysis/round_pairs.h"

#include "core/base/format.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace qs::core {

namespace {

constexpr std::size_t kMostNamed = 8;  // rounds that a note lists
constexpr double kSecondsPerHour = 3600.0;
constexpr double kHoursInDays = 48.0;  // from here on a distance is told in days

// "14 h", "3.5 d".
std::string distanceText(std::int64_t seconds)
{
    const double hours = static_cast<double>(seconds) / kSecondsPerHour;
    return hours < kHoursInDays ? formatSignificant(hours, 2) + " h"
                                : formatSignificant(hours / 24.0, 2) + " d";
}

}  // namespace

bool beganFarApart(const std::optional<std::int64_t>& first,
                   const std::optional<std::int64_t>& second)
{
    return first && second && std::abs(*first - *second) > kFarApartSeconds;
}

std::vector<RoundPair> pairRounds(const std::vector<CountedRound>& baseline,
                                  const std::vector<CountedRound>& cell)
{
    std::vector<RoundPair> pairs;
    auto at = baseline.begin();
    for (const CountedRound& each : cell) {
        at = std::find_if(at, baseline.end(), [&](const CountedRound& round) {
            return round.row->round >= each.row->round;
        });
        if (at == baseline.end())
            break;
        if (at->row->round == each.row->round && at->timed() && each.timed())
            pairs.push_back({.baseline = &*at, .cell = &each});
    }
    return pairs;
}

std::vector<RoundPair> nearPairs(const std::vector<RoundPair>& pairs)
{
    std::vector<RoundPair> near;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(near),
                 [](const RoundPair& pair) { return !pair.farApart(); });
    return near;
}

SharedSeconds sharedSeconds(const CellSummary& first, const CellSummary& second)
{
    SharedSeconds shared;
    auto at = first.roundSeconds.begin();
    for (const RoundSeconds& each : second.roundSeconds) {
        at = std::find_if(at, first.roundSeconds.end(),
                          [&](const RoundSeconds& round) { return round.round >= each.round; });
        if (at == first.roundSeconds.end())
            break;
        if (at->round != each.round || beganFarApart(at->beganAt, each.beganAt))
            continue;
        shared.first.push_back(at->seconds);
        shared.second.push_back(each.seconds);
    }
    return shared;
}

std::string farApartNote(const std::vector<RoundPair>& pairs)
{
    std::size_t far = 0;
    std::int64_t farthest = 0;
    std::string rounds;
    for (const RoundPair& pair : pairs) {
        if (!pair.farApart())
            continue;
        if (++far <= kMostNamed)
            rounds += (rounds.empty() ? "" : ", ") + std::to_string(pair.cell->row->round + 1);
        farthest =
            std::max(farthest, std::abs(*pair.baseline->row->beganAt - *pair.cell->row->beganAt));
    }
    if (far == 0)
        return {};
    return std::to_string(far) + " of " + std::to_string(pairs.size()) + " shared rounds (" +
           rounds + (far > kMostNamed ? " …" : "") + ") began up to " + distanceText(farthest) +
           " apart from those of its speed baseline: drift does not cancel there";
}

}  // namespace qs::core
