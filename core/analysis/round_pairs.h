#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/counted_rounds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Note [Rounds far apart]
// Pairing rounds cancels what changes slowly, because the cells of a round run one after another.
// It does not where a run was stopped inside a round and resumed the next day, or where a cell that
// failed was measured again: then hours lie between both halves of a pair, and the machine is
// another one. Such pairs are left out of a ratio as long as there are enough others.

// Cells of one round may well begin so far apart; in a longer round drift cancels in part only.
inline constexpr std::int64_t kFarApartSeconds = 3600;

// Whether two rows began too far apart to cancel drift. Rows that do not tell when they began are
// taken for neighbours, as all were before.
[[nodiscard]] bool beganFarApart(const std::optional<std::int64_t>& first,
                                 const std::optional<std::int64_t>& second);

// One round of two cells, timed in both.
struct RoundPair {
    const CountedRound* baseline = nullptr;
    const CountedRound* cell = nullptr;

    [[nodiscard]] bool farApart() const
    {
        return beganFarApart(baseline->row->beganAt, cell->row->beganAt);
    }
};

// The rounds that both have, ascending; rounds ascend on both sides, of one environment. The lists
// must outlive the result.
[[nodiscard]] std::vector<RoundPair> pairRounds(const std::vector<CountedRound>& baseline,
                                                const std::vector<CountedRound>& cell);

// Those that cancel drift.
[[nodiscard]] std::vector<RoundPair> nearPairs(const std::vector<RoundPair>& pairs);

// The same of what summaries keep of their rounds: seconds per pass where drift cancels, paired by
// index.
struct SharedSeconds {
    std::vector<double> first;
    std::vector<double> second;
};
[[nodiscard]] SharedSeconds sharedSeconds(const CellSummary& first, const CellSummary& second);

// How many rounds began far apart, and which; they count from 1, as people do. Nothing if none did.
[[nodiscard]] std::optional<Note> farApartNote(const std::vector<RoundPair>& pairs, bool leftOut);

}  // namespace qs::core
