#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/record/output_quality.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace qs::core {

// Output of a model [3, H, W] in [-1, 1] as a picture with values in [0, 1]; not clamped.
[[nodiscard]] Result<Picture> pictureFromModelRange(const FloatArray& output);

// Fills the metrics of images. SSIM, MS-SSIM where they are large enough, PSNR and FLIP of values
// clamped to [0, 1], as a viewer sees them; SSIM of torchmetrics and differences of the values
// before clamping.
[[nodiscard]] Status compareImages(const FloatArray& output, const FloatArray& reference,
                                   OutputQuality& quality, const std::stop_token& stop = {});

// Writes output_<i>.png beside output_<i>.npy. Cancelled when stopped: then some are missing.
[[nodiscard]] Status writeOutputPictures(const std::filesystem::path& runFolder,
                                         const std::string& place, int pictures,
                                         const std::stop_token& stop = {});
// Whether an array is there without its picture: a session that was stopped may leave that.
[[nodiscard]] bool lacksOutputPictures(const std::filesystem::path& runFolder,
                                       const std::string& place, int pictures);

}  // namespace qs::core
