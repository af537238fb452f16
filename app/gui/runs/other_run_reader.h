#pragma once

#include "widgets/models/other_runs.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace qs::app {

// Runs that were to be laid beside another one, as far as they could be read.
struct ReadRuns {
    std::vector<std::shared_ptr<const widgets::OtherRun>> runs;
    QStringList problems;  // a line for each that cannot be read, or only in part
};

// Reads the folders one after the other, for as long as `wanted` says so. From any thread; never
// throws for what is in a folder.
[[nodiscard]] ReadRuns readOtherRuns(const std::vector<std::filesystem::path>& folders,
                                     const std::function<bool()>& wanted);

}  // namespace qs::app
