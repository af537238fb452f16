#pragma once

#include "core/record/journal/journal_damage.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace qs::core {

// What of a run folder is not in the RunData that was read from it.
struct LeftOut {
    JournalDamage journal;
    // Sound records that hold no row, comparison or event as this program knows them.
    std::uint64_t notUnderstood = 0;
    std::string firstNotUnderstood;  // what is wrong with the first of them
    // The same row or comparison once more, with other values. The first counts.
    std::uint64_t contradictions = 0;

    std::uint64_t repetitions = 0;                      // the same once more, word for word
    std::map<std::string, std::uint64_t> unknownTypes;  // records of a later version, by type
    // An append that did not finish, at the end of the journal: nobody was told that it is stored.
    std::uint64_t tornBytes = 0;

    // Whether something is missing that was there once, or nobody can say what holds: no answer may
    // be given without saying so.
    [[nodiscard]] bool isLoss() const
    {
        return journal.any() || notUnderstood > 0 || contradictions > 0;
    }
};

}  // namespace qs::core
