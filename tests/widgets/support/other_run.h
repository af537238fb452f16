#pragma once

#include "widgets/models/other_runs.h"

#include <memory>
#include <string>
#include <utility>

namespace qs::tests {

// A run to be laid beside the one in view, as it is read from a folder.
inline std::shared_ptr<const widgets::OtherRun>
otherRun(const std::string& name, core::RunData data, core::RunFigures figures)
{
    auto run = std::make_shared<widgets::OtherRun>();
    run->name = QString::fromStdString(name);
    run->data = std::move(data);
    run->figures = std::move(figures);
    run->analysis = core::analyse(run->data, run->figures, run->data.plan.preset.speedBaseline);
    return run;
}

inline std::shared_ptr<const widgets::OtherRun> otherRun(const std::string& name,
                                                         core::RunData data)
{
    core::RunFigures figures(data.measurements);
    return otherRun(name, std::move(data), std::move(figures));
}

}  // namespace qs::tests
