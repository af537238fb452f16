#pragma once

#include "core/base/result.h"
#include "core/run/input_cache.h"
#include "core/sweep/calibration_inputs.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Copies of a calibration set in a folder below that of a run, as workers read them: since the run
// began, its files may have changed or gone. Copies that are there already stay.

// What files and texts give.
[[nodiscard]] Status keepCalibrationInputs(const std::filesystem::path& runFolder,
                                           const std::filesystem::path& folder,
                                           const CalibrationInputs& calibration);
// The pictures at one size; says which files were left out and why. Cancelled when stopped.
[[nodiscard]] Result<std::vector<std::string>>
keepCalibrationPictures(const std::filesystem::path& runFolder, const std::filesystem::path& folder,
                        const PictureSettings& pictures, std::int64_t size,
                        const InputCache& cache = InputCache(), const std::stop_token& stop = {},
                        const std::function<void(int done, int expected)>& progressed = {});

}  // namespace qs::core
