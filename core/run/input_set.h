#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/run/input_cache.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// The pictures of a run at one size, with the names that views show.
struct InputSet {
    std::vector<std::string> names;
    std::vector<Picture> pictures;     // square, size x size, values in [0, 1]
    std::vector<std::string> skipped;  // "file.png: why it was left out"
};

// Procedural pictures, a folder, or one file; made square as settings.crop says. At most
// settings.count pictures. Files whose crop has one colour alone are left out. An error if none is
// left.
[[nodiscard]] Result<InputSet> makeInputSet(const PictureSettings& settings, std::int64_t size,
                                            const InputCache& cache = InputCache());

// The array that workers read: float32 [n, 3, size, size] in [-1, 1].
[[nodiscard]] FloatArray toModelRange(const std::vector<Picture>& pictures);

// Writes array, PNGs and names into the run folder, unless they are there already.
[[nodiscard]] Result<InputSet> prepareInputs(const std::filesystem::path& runFolder,
                                             const PictureSettings& settings, std::int64_t size,
                                             const InputCache& cache = InputCache());

}  // namespace qs::core
