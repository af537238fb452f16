#include "core/run/stored_output.h"

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/image/ssim.h"
#include "core/record/run_folder.h"
#include "core/run/image_quality.h"

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// An output of 4096 x 4096 pixels has 192 MiB; beyond this a file is damaged.
constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{512} << 20U;
constexpr int kWindowRadius = 5;  // of Wang04: the pixels around a position that its score needs

// The output with what the SSIM of the tile depends on.
Result<StoredOutput> readAround(const fs::path& runFolder, const std::string& place, int picture,
                                const Tile& tile)
{
    const NpyWindow window{.left = tile.x - kWindowRadius,
                           .top = tile.y - kWindowRadius,
                           .width = tile.width + 2 * kWindowRadius,
                           .height = tile.height + 2 * kWindowRadius};
    const FilePlace array = outputArray(runFolder, place, picture);
    if (isThere(array)) {
        QS_TRY(const FloatArray part, readNpyWindow(array, window));
        QS_TRY(Picture read, pictureFromModelRange(part));
        return StoredOutput{.picture = toRgb(std::move(read)), .rounded = false};
    }
    QS_TRY(StoredOutput whole, readStoredOutput(runFolder, place, picture));
    if (window.left < 0 || window.top < 0 || window.left + window.width > whole.picture.width ||
        window.top + window.height > whole.picture.height)
        return Error{ErrorCode::InvalidArgument, "the tile is outside the image"};
    whole.picture =
        cropped(whole.picture, static_cast<int>(window.left), static_cast<int>(window.top),
                static_cast<int>(window.width), static_cast<int>(window.height));
    return whole;
}

}  // namespace

Result<StoredOutput> readStoredOutput(const fs::path& runFolder, const std::string& place,
                                      int picture)
{
    const FilePlace array = outputArray(runFolder, place, picture);
    if (isThere(array)) {
        QS_TRY(const FloatArray values, readNpy(array, kMaxOutputBytes));
        QS_TRY(Picture read, pictureFromModelRange(values));
        return StoredOutput{.picture = toRgb(std::move(read)), .rounded = false};
    }
    const FilePlace png = outputPicture(runFolder, place, picture);
    if (!isThere(png))
        return Error{ErrorCode::NotFound, "the run folder has neither " +
                                              array.path().filename().string() + " nor " +
                                              png.path().filename().string() + " of this cell"};
    QS_TRY(Picture read, readPicture(png));
    return StoredOutput{.picture = std::move(read), .rounded = true};
}

Result<StoredTile> readStoredTile(const fs::path& runFolder, const std::string& place,
                                  const std::string& referencePlace, int picture, const Tile& tile)
{
    QS_TRY(const StoredOutput output, readAround(runFolder, place, picture, tile));
    StoredTile stored;
    stored.picture = cropped(output.picture, kWindowRadius, kWindowRadius, tile.width, tile.height);
    stored.rounded = output.rounded;
    if (referencePlace.empty())
        return stored;
    QS_TRY(const StoredOutput reference, readAround(runFolder, referencePlace, picture, tile));
    stored.rounded = stored.rounded || reference.rounded;
    QS_TRY(const SsimResult similarity,
           ssim(clamped(output.picture, 0.0F, 1.0F), clamped(reference.picture, 0.0F, 1.0F),
                SsimVariant::Wang04, 1.0));
    stored.ssim = similarity.mean;
    return stored;
}

}  // namespace qs::core
