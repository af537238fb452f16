#include "core/run/image_quality.h"

#include "core/base/files.h"
#include "core/base/stop.h"
#include "core/image/difference.h"
#include "core/image/flip.h"
#include "core/image/ms_ssim.h"
#include "core/image/picture_file.h"
#include "core/image/ssim.h"
#include "core/image/tiles.h"
#include "core/record/run_folder.h"
#include "core/run/each_output.h"

#include <algorithm>
#include <utility>

namespace qs::core {

Result<Picture> pictureFromModelRange(const FloatArray& output)
{
    FloatArray scaled = output;
    for (float& value : scaled.values)
        value = (value + 1.0F) * 0.5F;
    return pictureFromPlanar(scaled);
}

Status compareImages(const FloatArray& output, const FloatArray& reference, OutputQuality& quality,
                     const std::stop_token& stop)
{
    QS_TRY(const Picture picture, pictureFromModelRange(output));
    QS_TRY(const Picture original, pictureFromModelRange(reference));
    QS_TRY(const Difference raw, difference(picture, original, 1.0));
    const Picture seen = clamped(picture, 0.0F, 1.0F);
    const Picture seenOriginal = clamped(original, 0.0F, 1.0F);
    QS_TRY(const Difference visible, difference(seen, seenOriginal, 1.0));
    QS_TRY(const SsimResult similarity, ssim(seen, seenOriginal, SsimVariant::Wang04, 1.0, stop));
    QS_TRY(const Picture unclamped, pictureFromPlanar(output));
    QS_TRY(const Picture unclampedOriginal, pictureFromPlanar(reference));
    QS_TRY(const double torchmetrics, torchmetricsSsim(unclamped, unclampedOriginal, stop));
    // Two outputs may differ only where both are clipped: they look the same and are not.
    quality.identical = raw.identical;
    quality.set("ssim", similarity.mean);
    quality.set("torchmetrics_ssim", torchmetrics);
    quality.set("psnr", visible.psnrDb);
    quality.set("max_difference", raw.maxAbsolute);
    quality.set("mean_difference", raw.meanAbsolute);
    quality.set("relative_l2", raw.relativeL2);
    quality.set("cosine", raw.cosineSimilarity);
    if (const auto tiles = worstTiles(similarity.map, 1); !tiles.empty())
        quality.worstTile =
            WorstTile{.x = tiles.front().x, .y = tiles.front().y, .ssim = tiles.front().mean};
    if (std::min(seen.width, seen.height) >= kSmallestMsSsimSide) {
        QS_TRY(const double scales, msSsim(seen, seenOriginal, 1.0, stop));
        quality.set("ms_ssim", std::min(scales, 1.0));  // rounding may leave a little more
    }
    QS_TRY(const FlipResult flipped, flip(seen, seenOriginal, kUsualPixelsPerDegree, stop));
    quality.set("flip", std::min(flipped.mean, 1.0));
    return {};
}

Status writeOutputPictures(const std::filesystem::path& runFolder, const std::string& place,
                           int pictures, const std::stop_token& stop)
{
    // Those of an earlier attempt are not of these arrays.
    for (int i = 0; i < pictures; ++i)
        QS_RETURN_IF_ERROR(removeFile(outputPicture(runFolder, place, i)));
    const auto write = [&](int i) -> Status {
        QS_TRY(const FloatArray output, readNpy(outputArray(runFolder, place, i)));
        QS_TRY(const Picture picture, pictureFromModelRange(output));
        return writePng(outputPicture(runFolder, place, i), picture, {}, stop);
    };
    return forEachOutput(runFolder, place, pictures, write, stop);
}

bool lacksOutputPictures(const std::filesystem::path& runFolder, const std::string& place,
                         int pictures)
{
    // They are written side by side: whoever was stopped may have left any of them out.
    for (int i = 0; i < pictures; ++i) {
        if (isThere(outputArray(runFolder, place, i)) &&
            !isThere(outputPicture(runFolder, place, i)))
            return true;
    }
    return false;
}

}  // namespace qs::core
