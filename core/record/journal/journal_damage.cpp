#include "core/record/journal/journal_damage.h"

namespace qs::core {

std::string damageText(const JournalDamage& damage)
{
    const auto counted = [](std::uint64_t count, const char* unit) {
        return std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
    };
    if (damage.lines == 0)
        return "its first line, the header, is missing";
    return counted(damage.bytes, "byte") + " in " + counted(damage.lines, "line") +
           " cannot be read, the first in line " + std::to_string(damage.firstLine) + " at byte " +
           std::to_string(damage.firstByte) + ": " + damage.firstProblem +
           (damage.headerMissing ? "; the header is missing as well" : "");
}

}  // namespace qs::core
