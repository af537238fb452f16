#include "core/record/journal/journal_damage.h"

#include "core/base/text_parts.h"

namespace qs::core {

std::string damageText(const JournalDamage& damage)
{
    if (damage.lines == 0)
        return "its first line, the header, is missing";
    // Nobody knows how much there was behind damaged packed data.
    const std::string bytes = damage.bytes > 0 ? counted(damage.bytes, "byte") + " in " : "";
    return bytes + counted(damage.lines, "line") + " unreadable, the first in line " +
           std::to_string(damage.firstLine) + " at byte " + std::to_string(damage.firstByte) +
           ": " + damage.firstProblem +
           (damage.headerMissing ? "; the header is missing as well" : "");
}

}  // namespace qs::core
