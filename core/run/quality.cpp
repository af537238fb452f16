#include "core/run/quality.h"

#include "core/base/files.h"
#include "core/base/stop.h"
#include "core/image/difference.h"
#include "core/image/flip.h"
#include "core/image/ms_ssim.h"
#include "core/image/picture_file.h"
#include "core/image/ssim.h"
#include "core/image/tiles.h"
#include "core/record/run_folder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::core {

Result<Picture> pictureFromModelRange(const FloatArray& output)
{
    FloatArray scaled = output;
    for (float& value : scaled.values)
        value = (value + 1.0F) * 0.5F;
    return pictureFromPlanar(scaled);
}

Result<PictureQuality> compareOutputs(const FloatArray& output, const FloatArray& reference,
                                      int index, const std::stop_token& stop)
{
    QS_TRY(const Picture picture, pictureFromModelRange(output));
    QS_TRY(const Picture original, pictureFromModelRange(reference));
    QS_TRY(const Difference raw, difference(picture, original, 1.0));
    const Picture seen = clamped(picture, 0.0F, 1.0F);
    const Picture seenOriginal = clamped(original, 0.0F, 1.0F);
    QS_TRY(const Difference visible, difference(seen, seenOriginal, 1.0));
    QS_TRY(const SsimResult similarity, ssim(seen, seenOriginal, SsimVariant::Wang04, 1.0, stop));
    PictureQuality quality;
    quality.picture = index;
    quality.ssim = similarity.mean;
    // "Identical" is said of the raw outputs: two outputs may differ only where both are clipped.
    if (!raw.identical && !visible.identical)
        quality.psnr = visible.psnrDb;
    quality.maximumDifference = raw.maxAbsolute;
    quality.meanDifference = raw.meanAbsolute;
    quality.relativeL2 =
        std::isfinite(raw.relativeL2) ? std::optional(raw.relativeL2) : std::nullopt;
    quality.cosineSimilarity = raw.cosineSimilarity;
    if (const auto tiles = worstTiles(similarity.map, 1); !tiles.empty()) {
        quality.worstTileX = tiles.front().x;
        quality.worstTileY = tiles.front().y;
        quality.worstTileSsim = tiles.front().mean;
    }
    return quality;
}

Status addVisibleDifference(const FloatArray& output, const FloatArray& reference,
                            PictureQuality& quality, const std::stop_token& stop)
{
    QS_TRY(Picture picture, pictureFromModelRange(output));
    QS_TRY(Picture original, pictureFromModelRange(reference));
    const Picture seen = clamped(std::move(picture), 0.0F, 1.0F);
    const Picture seenOriginal = clamped(std::move(original), 0.0F, 1.0F);
    if (std::min(seen.width, seen.height) >= kSmallestMsSsimSide) {
        QS_TRY(const double similarity, msSsim(seen, seenOriginal, 1.0, stop));
        quality.msSsim = std::min(similarity, 1.0);  // rounding may leave a little more
    }
    QS_TRY(const FlipResult visible, flip(seen, seenOriginal, kUsualPixelsPerDegree, stop));
    quality.flip = std::min(visible.mean, 1.0);
    return {};
}

Result<std::vector<PictureQuality>> comparePlaces(const std::filesystem::path& runFolder,
                                                  const std::string& place,
                                                  const std::string& referencePlace, int pictures,
                                                  const std::stop_token& stop)
{
    std::vector<PictureQuality> qualities;
    for (int i = 0; i < pictures; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const FloatArray output, readNpy(outputArray(runFolder, place, i)));
        QS_TRY(const FloatArray reference, readNpy(outputArray(runFolder, referencePlace, i)));
        QS_TRY(PictureQuality quality, compareOutputs(output, reference, i, stop));
        QS_RETURN_IF_ERROR(addVisibleDifference(output, reference, quality, stop));
        qualities.push_back(std::move(quality));
    }
    return qualities;
}

Result<std::vector<PictureQuality>> compareWithInputs(const std::filesystem::path& runFolder,
                                                      const std::string& place,
                                                      std::int64_t imageSize, int pictures,
                                                      const std::stop_token& stop)
{
    std::vector<PictureQuality> qualities;
    for (int i = 0; i < pictures; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const FloatArray output, readNpy(outputArray(runFolder, place, i)));
        QS_TRY(FloatArray input, readNpyEntries(inputArray(runFolder, imageSize), i, 1));
        input.shape.erase(input.shape.begin());
        QS_TRY(PictureQuality quality, compareOutputs(output, input, i, stop));
        qualities.push_back(std::move(quality));
    }
    return qualities;
}

Status writeOutputPictures(const std::filesystem::path& runFolder, const std::string& place,
                           int pictures, const std::stop_token& stop)
{
    // Those of an earlier attempt are not of these arrays.
    for (int i = 0; i < pictures; ++i)
        QS_RETURN_IF_ERROR(removeFile(outputPicture(runFolder, place, i)));
    for (int i = 0; i < pictures; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const FloatArray output, readNpy(outputArray(runFolder, place, i)));
        QS_TRY(const Picture picture, pictureFromModelRange(output));
        QS_RETURN_IF_ERROR(writePng(outputPicture(runFolder, place, i), picture, {}, stop));
    }
    return {};
}

bool lacksOutputPictures(const std::filesystem::path& runFolder, const std::string& place,
                         int pictures)
{
    // They are written in order.
    return pictures > 0 && isThere(outputArray(runFolder, place, pictures - 1)) &&
           !isThere(outputPicture(runFolder, place, pictures - 1));
}

}  // namespace qs::core
