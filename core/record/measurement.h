#pragma once

#include "core/base/json.h"
#include "core/measure/cell_result.h"
#include "core/measure/failure.h"
#include "core/sweep/cell.h"

#include <optional>
#include <string>
#include <string_view>

namespace qs::core {

// One cell in one round: a row of the journal.
struct Measurement {
    std::string cellId;
    std::string environmentId;
    // From 0; files count both from 1, as people do.
    int round = 0;
    int attempt = 0;  // of the same round; a retry never overwrites
    CellConfig config;
    std::optional<Failure> failure;  // nothing: it is ok
    CellResult result;               // empty unless ok or non-finite
    std::string startedAt;           // UTC, "2026-11-21T09:40:12Z"
    double durationSeconds = 0.0;    // of the whole cell in this round, process start included
    std::string logTail;             // last lines of the worker, for rows that failed

    [[nodiscard]] CellStatus status() const
    {
        return failure ? statusOf(failure->kind) : CellStatus::Ok;
    }
    [[nodiscard]] bool ok() const { return !failure; }
};

[[nodiscard]] Json toJson(const Measurement& row);
// May have the "type" of a record.
[[nodiscard]] Result<Measurement> measurementFromJson(const JsonView& json);

// What stands for the input pictures where else the id of a cell does.
inline constexpr const char* kInputId = "input";

// How one picture of a cell differs from the same picture of its quality reference, or from the
// input. Both were made in the same environment.
struct PictureQuality {
    std::string cellId;
    // That of the outputs. Records of before lack it; those of a run folder get it from the rows of
    // their cell when they are read.
    std::string environmentId = {};
    std::string referenceId;  // a cell, or kInputId for the reconstruction against the original
    int picture = 0;
    double ssim = 0.0;  // SSIM[Wang04 gauss11 σ1.5 valid L=1 mean-RGB] of outputs clamped to [0, 1]
    std::optional<double> psnr;      // dB, same values; empty when identical
    double maximumDifference = 0.0;  // of [0, 1] values before clamping
    double meanDifference = 0.0;
    // ‖a - b‖ / ‖b‖ of the raw outputs; empty where the reference is zero everywhere and the output
    // is not, so that there is nothing to relate it to.
    std::optional<double> relativeL2 = 0.0;
    int worstTileX =
        0;  // left and top of the 64 x 64 tile of lowest SSIM, in pixels of the picture
    int worstTileY = 0;
    double worstTileSsim = 1.0;
    // Of the same clamped values, against a cell only. Rows of before lack them; MS-SSIM also those
    // of pictures below kSmallestMsSsimSide.
    std::optional<double> msSsim;  // see core/image/ms_ssim.h, L=1
    std::optional<double> flip;    // mean of the map at 67 pixels per degree; 0 is no difference
    // Of the angle between both lists of [0, 1] values before clamping, -1 … 1; 1 is the same
    // direction. Rows of before lack it.
    std::optional<double> cosineSimilarity;

    bool operator==(const PictureQuality&) const = default;

    // Where nobody can tell the environment there is only one.
    [[nodiscard]] bool isOf(const std::string& environment) const
    {
        return environmentId.empty() || environmentId == environment;
    }
};

[[nodiscard]] Json toJson(const PictureQuality& quality);
// May have the "type" of a record.
[[nodiscard]] Result<PictureQuality> pictureQualityFromJson(const JsonView& json);

}  // namespace qs::core
