#pragma once

#include "core/base/result.h"
#include "core/measure/calibration_entry.h"

#include <filesystem>
#include <vector>

namespace qs::core {

// What calibration made, from hand to hand: see Note [Calibration entries].

// A file that is called like an entry, and what it holds or what is wrong with it.
struct StoredCalibration {
    std::filesystem::path file;
    Result<CalibrationEntry> entry;
};

// Those of a folder, by name, or a single one. Links count, folders do not. Errors: it is not
// there.
[[nodiscard]] Result<std::vector<StoredCalibration>>
storedCalibrations(const std::filesystem::path& place);
// The entry in that folder, made if need be: whole, or not at all. False if it is there already.
[[nodiscard]] Result<bool> copyCalibration(const std::filesystem::path& file,
                                           const std::filesystem::path& folder);

}  // namespace qs::core
