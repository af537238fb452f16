#include "core/analysis/row_outline.h"

#include <algorithm>

namespace qs::core {

namespace {

void addName(std::vector<std::string>& names, const std::string& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

}  // namespace

void RowOutline::add(const Measurement& row)
{
    if (count == 0)
        firstStartedAt = row.startedAt;
    lastStartedAt = row.startedAt;
    ++count;
    seconds += row.durationSeconds;
    for (const StageSamples& stage : row.result.stages)
        addName(stages, stage.stage);
}

}  // namespace qs::core
