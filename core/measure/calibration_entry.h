#pragma once

#include "core/base/result.h"
#include "core/base/sha256.h"
#include "core/measure/calibration_record.h"
#include "core/model/safetensors/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace qs::core {

// Note [Calibration entries]
// What calibration made for one stage, as a safetensors file of its statistics or solved weights.
// Its name is the SHA-256 of all that decides it, its header holds that name, what it is of, what a
// row tells of it, and the SHA-256 of these texts and all tensors: it is believed only if that is
// right. What is in it is believed then, so that entries of others are a matter of trust.

inline constexpr const char* kCalibrationExtension = ".safetensors";
// Of all entries of a cache together.
inline constexpr std::uintmax_t kMostCalibrationBytes = std::uintmax_t{4} << 30U;

// The texts of a header. Where an entry is of is for people.
struct CalibrationTexts {
    std::string content;    // SHA-256 of all that decides it
    std::string record;     // StageCalibration as JSON
    std::string model;      // as its cell names it
    std::string precision;  // of the stage
};

// To be gone on with by the name and the bytes of each tensor, in the order of their names.
[[nodiscard]] Sha256 calibrationHash(const CalibrationTexts& texts);
[[nodiscard]] SafetensorsMetadata calibrationMetadata(const CalibrationTexts& texts,
                                                      const std::string& hash);
[[nodiscard]] CalibrationTexts calibrationTexts(const SafetensorsFile& file);
// That the header names.
[[nodiscard]] std::string namedCalibrationHash(const SafetensorsFile& file);
[[nodiscard]] Result<StageCalibration> parseCalibrationRecord(const std::string& text);

struct CalibrationEntry {
    CalibrationTexts texts;
    StageCalibration record;
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;  // of the file
};

// Reads all of it. Errors name the file and what is wrong with it.
[[nodiscard]] Result<CalibrationEntry> readCalibrationEntry(const std::filesystem::path& file);

}  // namespace qs::core
