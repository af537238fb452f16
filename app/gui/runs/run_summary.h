#pragma once

#include "core/record/run_data.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <vector>

namespace qs::app {

// A run folder in one line of a list.
struct RunSummary {
    std::filesystem::path folder;
    QString name;       // of its preset
    QString model;      // "demo", or several joined by commas
    QString device;     // "NVIDIA H200", as it was when the run was measured
    QDateTime started;  // UTC; invalid if nothing has begun
    int cellsMeasured = 0;
    int cellsPossible = 0;
    bool complete = false;  // every possible cell has all its rounds, or has failed for good
    bool damaged = false;   // a part of its journal cannot be read
    bool example = false;   // shipped with the program, measured elsewhere
    QString answer;         // headline of the answer: fastest, any quality
    QString problem;        // why it cannot be read; the rest is empty then
};

// Names of the devices that the cells of a run ask for, as they were where it was measured.
[[nodiscard]] QString devicesOf(const core::RunData& data);

// Reads the run folder as a whole: takes as long as opening it. From any thread.
[[nodiscard]] RunSummary summarizeRun(const std::filesystem::path& folder, bool example);

// Folders directly below `parent` that hold a run, newest name first. Empty if there are none.
[[nodiscard]] std::vector<std::filesystem::path>
findRunFolders(const std::filesystem::path& parent);

}  // namespace qs::app
