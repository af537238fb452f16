#include "core/analysis/round_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace qs::core {

namespace {

constexpr std::size_t kMostNamed = 8;  // rounds that a note lists

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

std::optional<Note> farApartNote(const std::vector<RoundPair>& pairs, bool leftOut)
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
        return std::nullopt;
    return Note{leftOut ? NoteCode::RoundsLeftOut : NoteCode::RoundsFarApart,
                {double(far), double(pairs.size()), rounds + (far > kMostNamed ? " …" : ""),
                 double(farthest)}};
}

}  // namespace qs::core
