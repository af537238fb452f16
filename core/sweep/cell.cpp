#include "core/sweep/cell.h"

#include "core/base/text_parts.h"

#include <algorithm>

namespace qs::core {

std::string precisionText(const CellConfig& cell)
{
    return joinedWithoutRepeats(cell.precision, '/');
}

bool allStagesAre(const CellConfig& cell, std::string_view scheme)
{
    return !cell.precision.empty() &&
           std::all_of(cell.precision.begin(), cell.precision.end(),
                       [&](const std::string& stage) { return stage == scheme; });
}

}  // namespace qs::core
