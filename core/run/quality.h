#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/record/measurement.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Output of a model [3, H, W] in [-1, 1] as a picture with values in [0, 1]; not clamped.
[[nodiscard]] Result<Picture> pictureFromModelRange(const FloatArray& output);

// How picture `index` of a cell differs from the same of its reference. SSIM and PSNR on values
// clamped to [0, 1], as a viewer sees them; differences on the raw outputs.
[[nodiscard]] Result<PictureQuality> compareOutputs(const FloatArray& output,
                                                    const FloatArray& reference, int index,
                                                    const std::stop_token& stop = {});

// Adds MS-SSIM, where the pictures are large enough, and FLIP.
[[nodiscard]] Status addVisibleDifference(const FloatArray& output, const FloatArray& reference,
                                          PictureQuality& quality,
                                          const std::stop_token& stop = {});

// The outputs that are stored in one place against those in another, see outputPlace(), with
// visible differences. Whose they are the caller fills in. Cancelled when stopped.
[[nodiscard]] Result<std::vector<PictureQuality>>
comparePlaces(const std::filesystem::path& runFolder, const std::string& place,
              const std::string& referencePlace, int pictures, const std::stop_token& stop = {});
// The same against the inputs of that size, without visible differences.
[[nodiscard]] Result<std::vector<PictureQuality>>
compareWithInputs(const std::filesystem::path& runFolder, const std::string& place,
                  std::int64_t imageSize, int pictures, const std::stop_token& stop = {});

// Writes output_<i>.png beside output_<i>.npy. Cancelled when stopped: then some are missing.
[[nodiscard]] Status writeOutputPictures(const std::filesystem::path& runFolder,
                                         const std::string& place, int pictures,
                                         const std::stop_token& stop = {});
// Whether an array is there without its picture: a session that was stopped may leave that.
[[nodiscard]] bool lacksOutputPictures(const std::filesystem::path& runFolder,
                                       const std::string& place, int pictures);

}  // namespace qs::core
