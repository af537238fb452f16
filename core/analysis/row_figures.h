#pragma once

#include "core/analysis/device_figures.h"
#include "core/analysis/time_division.h"
#include "core/record/measurement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct PictureHash {
    int picture = 0;
    std::string sha256;  // of the float32 values; may be empty

    bool operator==(const PictureHash&) const = default;
};

// What a row tells beside its figures. Rows of one cell mostly tell the same, and share it.
struct RowEvidence {
    std::string environmentId;
    std::optional<Failure> failure;
    std::vector<ExecutedStage> executed;
    std::string attention;
    std::string modelContent;
    StorageReport storage;
    // Of stages that run from a package, without their products and whether they were cached.
    std::vector<StageCompile> compiles;
    std::vector<Note> notes;
    std::vector<PictureHash> outputs;

    bool operator==(const RowEvidence&) const = default;
};

struct StageFigures {
    std::string stage;
    double seconds = 0.0;  // median of the samples that count
    std::optional<std::int64_t> peakBytes;
};

// All that the analysis needs of one row: about a tenth of it. Times in seconds per pass.
struct RowFigures {
    int round = 0;
    int attempt = 0;
    std::shared_ptr<const RowEvidence> evidence;  // never null
    // The samples that count, by the clock of the headline number.
    std::vector<double> passes;
    double seconds = 0.0;  // their median; 0 without samples
    // Of the samples: squared fraction of their median, by their quartiles, which outliers do not
    // move; nothing with few samples.
    std::optional<double> variance;
    std::optional<double> cycles;         // see medianCycles()
    std::optional<double> hostSeconds;    // median by the clock of the host
    std::vector<StageFigures> stages;     // those that have samples
    std::optional<std::int64_t> beganAt;  // seconds since 1970; nothing if the row does not tell
    double durationSeconds = 0.0;         // of the whole cell in this round
    std::optional<double> startSeconds;   // load + first call, see CellSummary
    std::optional<double> firstSampleSeconds;
    MemoryFigures memory;
    std::int64_t weightsFileBytes = 0;
    WarmupEnd warmupEnd = WarmupEnd::Steady;
    std::optional<double> othersCores;             // see HostLoad
    std::shared_ptr<const TimeDivision> division;  // null without a profile
    RowDeviceFigures device;

    [[nodiscard]] CellStatus status() const
    {
        return evidence->failure ? statusOf(evidence->failure->kind) : CellStatus::Ok;
    }
    [[nodiscard]] bool ok() const { return !evidence->failure; }
};

[[nodiscard]] RowFigures figuresOf(const Measurement& row);

}  // namespace qs::core
