#pragma once

#include "core/record/run_data.h"
#include "core/record/run_label.h"
#include "core/stats/interval.h"
#include "widgets/models/verdict_tone.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace qs::app {

// The fastest cell of a run, whatever its quality.
struct BestCell {
    enum class Standing {
        None,      // nothing was measured, or the run does not bear an answer yet
        Alone,     // nothing else was measured
        Baseline,  // nothing beats what the ratios are formed with
        Ratio,     // there is a ratio, which may be below 1
    };
    Standing standing = Standing::None;
    QString name;  // "int8dq · cuda-graph · batch 64"
    std::optional<double> speedup;
    std::optional<core::Interval> interval;
    widgets::VerdictTone tone = widgets::VerdictTone::None;
    QString verdict;   // "faster"; empty with too few repeats for one
    QString headline;  // of the answer
    QString detail;
};

// A run folder in one line of a list.
struct RunSummary {
    std::filesystem::path folder;
    QString name;       // of its preset
    QString model;      // "demo", or several joined by commas
    QString device;     // "NVIDIA H200", as it was when the run was measured
    QDateTime started;  // UTC; invalid if nothing was measured
    QDateTime created;  // of a run of our own: when its folder was made
    int cellsMeasured = 0;
    int cellsPossible = 0;
    bool complete = false;  // every possible cell has all its rounds, or has failed for good
    bool damaged = false;   // a part of its journal cannot be read
    bool example = false;   // shipped with the program, measured elsewhere
    BestCell best;
    QString problem;       // why it cannot be read; the rest is empty then
    core::RunLabel label;  // what the user calls it
    QString labelProblem;  // why that cannot be read
    bool waiting = false;  // nothing but the folder and the label is known yet

    // What the user calls it, or else the name of its preset.
    [[nodiscard]] QString shownName() const
    {
        return label.name.empty() ? name : QString::fromStdString(label.name);
    }
    [[nodiscard]] QDateTime date() const { return started.isValid() ? started : created; }
    [[nodiscard]] bool isReadable() const { return !waiting && problem.isEmpty(); }
    // Something is left to measure, and the run is ours to go on with.
    [[nodiscard]] bool isResumable() const
    {
        return isReadable() && !complete && !damaged && !example;
    }
};

// What its user calls the run in a folder, or else the name of its preset. Reads a small file; an
// empty folder is that of a run that is stored nowhere.
[[nodiscard]] QString runName(const std::filesystem::path& folder, const QString& presetName);

// Names of the devices that the cells of a run ask for, as they were where it was measured.
[[nodiscard]] QString devicesOf(const core::RunData& data);

// Reads the run folder as a whole, but for its label: takes as long as opening it. From any thread.
[[nodiscard]] RunSummary summarizeRun(const std::filesystem::path& folder, bool example);

// Folders directly below `parent` that hold a run, newest name first. Empty if there are none.
[[nodiscard]] std::vector<std::filesystem::path>
findRunFolders(const std::filesystem::path& parent);

}  // namespace qs::app
