#pragma once

#include "core/base/file_place.h"
#include "core/base/json.h"
#include "core/model/input_feed.h"
#include "core/quant/checkpoint_format.h"
#include "core/sweep/calibration_inputs.h"
#include "core/sweep/cell.h"
#include "core/sweep/preset.h"

#include <map>
#include <optional>
#include <string>

namespace qs::core {

// All that a worker needs to run one cell once. Paths of folders are absolute.
struct CellRequest {
    CellConfig config;
    MeasurementSettings measurement;
    std::string resourceFolder;  // where "demo" and other shipped models lie
    std::string cacheFolder;     // for what calibration and compilers made; empty: none
    // The two below lie in it, and no link leads out of it on the way to them.
    std::string runFolder;
    std::string inputFile;      // .npy float32 [n, 3, H, W] in [-1, 1], H = W = image size
    std::string outputFolder;   // existing; receives output_<i>.npy, float32 [3, H, W]
    ModelFeeding feeding = {};  // its files are read as feed() has them
    // The calibration set and the folder of its copies in the run folder, for precisions with
    // set=own.
    CalibrationInputs calibration = {};
    std::string calibrationFolder = {};
    int keptOutputs = 0;  // how many pictures are written; all are hashed
    // Whether what quantizing did to each layer is written there as well, after all that is timed;
    // see core/measure/layer_report.h.
    bool reportLayers = false;
    bool profile = false;  // see core/measure/pass_profile.h
    // Of the quality reference of the cell from its fp32 golden run, relative L2 of the outputs;
    // nothing where that is not known yet. See Note [Distance limit].
    std::optional<double> bf16FromFp32 = {};
    // What compiles packages, as Environment has it; empty: not known, the worker asks.
    std::map<std::string, std::string> compiler = {};
    // Nothing is run or timed: the quantized weights are written there, and the storage of the
    // result is what lies in memory.
    std::optional<CheckpointFormat> checkpoint = std::nullopt;
    // Of a model that is a compiled program: the SHA-256 that its user trusts, and an empty folder
    // in the output folder for what is unpacked. The worker is shut off then.
    std::string trustedProgram = {};
    std::string privateFolder = {};

    [[nodiscard]] FilePlace inputs() const { return FilePlace::inside(runFolder, inputFile); }
    // The run's copy of what that input of the feeding reads.
    [[nodiscard]] FilePlace feed(const std::string& input) const
    {
        return FilePlace::inside(runFolder, feedFileName(feeding, input));
    }
    [[nodiscard]] FilePlace calibrationPictures() const
    {
        return inCalibration(calibrationPicturesName(config.imageSize()));
    }
    [[nodiscard]] FilePlace calibrationFeed(const std::string& input) const
    {
        return inCalibration(calibrationFeedName(calibration, input));
    }
    [[nodiscard]] FilePlace inCalibration(const std::string& name) const
    {
        return FilePlace::inside(runFolder, std::filesystem::path(calibrationFolder) / name);
    }
    [[nodiscard]] FilePlace output(const std::string& name) const
    {
        return FilePlace::inside(runFolder, std::filesystem::path(outputFolder) / name);
    }
};

[[nodiscard]] Json toJson(const CellRequest& request);
[[nodiscard]] Result<CellRequest> cellRequestFromJson(const Json& json);

}  // namespace qs::core
