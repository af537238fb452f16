#pragma once

#include "core/engine/quantize/stage_observation.h"
#include "core/measure/calibration_entry.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qs::engine {

// Of what an entry is, for people.
struct CalibrationOrigin {
    std::string model;
    std::string precision;               // of the stage
    core::StageCalibration record = {};  // stage, set, samples, seed
};

// What calibration made, by the content of all that decides it: every cell and round is a process
// of its own, and GPTQ takes longer than the cell. One file for each stage of a model, see
// Note [Calibration entries]; it appears whole or not at all. Several programs may use one folder
// at a time.
class CalibrationCache final
{
public:
    // An empty folder remembers nothing. Beyond `mostBytes`, what was not used for longest goes.
    explicit CalibrationCache(std::filesystem::path folder,
                              std::uintmax_t mostBytes = core::kMostCalibrationBytes)
        : m_folder(std::move(folder)), m_mostBytes(mostBytes)
    {
    }

    // `content` is a SHA-256. Nothing if it is not there or was damaged.
    [[nodiscard]] std::optional<StageFindings> find(const std::string& content,
                                                    c10::Device device) const;
    // A cache that cannot be written is no fault of the run: nothing is remembered then.
    void add(const std::string& content, const StageFindings& findings,
             const CalibrationOrigin& origin = {}) const;

private:
    std::filesystem::path m_folder;
    std::uintmax_t m_mostBytes;
};

}  // namespace qs::engine
