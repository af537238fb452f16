#include "widgets/compare/loaded_pictures.h"

#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/record/run_folder.h"
#include "core/run/quality.h"
#include "widgets/compare/pane_image.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

namespace qs::widgets {

namespace {

// An output of 4096 x 4096 pixels has 192 MiB; beyond this a file is damaged.
constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{512} << 20U;

QString translated(const char* text)
{
    return QCoreApplication::translate("LoadedPictures", text);
}

core::Result<core::Picture> readOutput(const std::filesystem::path& path)
{
    QS_TRY(const core::FloatArray array, core::readNpy(path, kMaxOutputBytes));
    return core::pictureFromModelRange(array);
}

PaneContent contentOf(core::Result<core::Picture> read, const std::filesystem::path& path)
{
    PaneContent content;
    if (read.ok()) {
        content.picture =
            std::make_shared<const core::Picture>(core::toRgb(std::move(read).value()));
        content.image = toImage(*content.picture);
        return content;
    }
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored))
        content.problem = translated("This picture cannot be read: %1")
                              .arg(QString::fromStdString(read.error().message));
    else
        content.problem = translated("The file of this picture is missing: %1")
                              .arg(QString::fromStdString(path.filename().string()));
    return content;
}

PaneContent loadOutput(const PictureRequest& request, const OutputSource& source)
{
    if (source.cellId.empty())
        return {};
    if (!source.unavailable.isEmpty())
        return {.picture = nullptr, .image = {}, .problem = source.unavailable};
    const std::filesystem::path path =
        core::outputArray(request.runFolder, source.cellId, request.picture);
    return contentOf(readOutput(path), path);
}

core::PixelMap oneMinus(core::PixelMap map)
{
    for (float& value : map.values)
        value = 1.0F - value;
    return map;
}

// The largest channel, not the mean of the signed map: errors of opposite sign must not cancel, and
// the largest value of the map is the maximum difference that the caption names.
core::PixelMap absoluteDifference(const core::Picture& a, const core::Picture& b)
{
    core::PixelMap map{
        .width = a.width, .height = a.height, .offsetX = 0, .offsetY = 0, .values = {}};
    const auto channels = static_cast<std::size_t>(a.channels);
    map.values.resize(a.values.size() / channels);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        float& largest = map.values[i / channels];
        largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
    }
    return map;
}

ComparisonContent compareContents(const PaneContent& picture, const PaneContent& reference)
{
    ComparisonContent content;
    if (picture.picture == nullptr || reference.picture == nullptr) {
        content.problem = picture.picture == nullptr ? picture.problem : reference.problem;
        return content;
    }
    core::Result<Comparison> compared = comparePictures(*picture.picture, *reference.picture);
    if (compared.ok())
        content.value = std::make_shared<const Comparison>(std::move(compared).value());
    else
        content.problem = translated("These pictures cannot be compared: %1")
                              .arg(QString::fromStdString(compared.error().message));
    return content;
}

LoadedPictures loadAll(const PictureRequest& request)
{
    LoadedPictures loaded;
    loaded.request = request;
    const std::filesystem::path input =
        core::inputPicture(request.runFolder, request.imageSize, request.picture);
    loaded.input = contentOf(core::readPicture(input), input);
    loaded.reference = loadOutput(request, request.reference);
    loaded.a = request.a == request.reference ? loaded.reference : loadOutput(request, request.a);
    loaded.b = loadOutput(request, request.b);
    if (request.a.cellId.empty())
        return loaded;
    if (!request.reference.cellId.empty())
        loaded.aToReference = compareContents(loaded.a, loaded.reference);
    if (!request.b.cellId.empty()) {
        loaded.aToB = compareContents(loaded.a, loaded.b);
        if (!request.reference.cellId.empty())
            loaded.bToReference = compareContents(loaded.b, loaded.reference);
    }
    return loaded;
}

}  // namespace

core::Result<Comparison> comparePictures(const core::Picture& picture,
                                         const core::Picture& reference)
{
    Comparison comparison;
    QS_TRY(const core::Difference raw, core::difference(picture, reference, 1.0));
    const core::Picture clampedPicture = core::clamped(picture, 0.0F, 1.0F);
    const core::Picture clampedReference = core::clamped(reference, 0.0F, 1.0F);
    QS_TRY(const core::Difference shown, core::difference(clampedPicture, clampedReference, 1.0));
    QS_TRY(comparison.ssim,
           core::ssim(clampedPicture, clampedReference, core::SsimVariant::Wang04, 1.0));
    QS_TRY(comparison.signedMean, core::signedDifferenceMap(picture, reference));
    comparison.dissimilarity = oneMinus(comparison.ssim.map);
    comparison.absolute = absoluteDifference(picture, reference);
    comparison.psnrDb = shown.psnrDb;
    comparison.maximumDifference = raw.maxAbsolute;
    comparison.identical = raw.identical;
    comparison.worstTiles = core::worstTiles(comparison.ssim.map, kWorstTiles);
    return comparison;
}

const core::PixelMap& mapOf(const Comparison& comparison, MapKind kind)
{
    switch (kind) {
    case MapKind::Absolute:
        return comparison.absolute;
    case MapKind::Signed:
        return comparison.signedMean;
    case MapKind::Dissimilarity:
        break;
    }
    return comparison.dissimilarity;
}

LoadedPictures loadPictures(const PictureRequest& request)
{
    try {
        return loadAll(request);
    } catch (const std::exception& failure) {
        // Nothing may be thrown across the thread; what can be thrown here is a lack of memory.
        LoadedPictures loaded;
        loaded.request = request;
        loaded.a.problem = translated("The pictures could not be loaded: %1")
                               .arg(QString::fromLocal8Bit(failure.what()));
        loaded.input.problem = loaded.reference.problem = loaded.aToReference.problem =
            loaded.a.problem;
        return loaded;
    }
}

bool LoadedPictures::complete() const
{
    return input.problem.isEmpty() && reference.problem.isEmpty() && a.problem.isEmpty() &&
           b.problem.isEmpty();
}

std::size_t LoadedPictures::bytes() const
{
    std::size_t total = 0;
    for (const PaneContent* pane : {&input, &reference, &a, &b}) {
        if (pane->picture != nullptr)
            total += pane->picture->values.size() * sizeof(float) +
                     static_cast<std::size_t>(pane->image.sizeInBytes());
    }
    for (const ComparisonContent* comparison : {&aToReference, &aToB, &bToReference}) {
        if (comparison->value == nullptr)
            continue;
        const Comparison& value = *comparison->value;
        total += (value.ssim.map.values.size() + value.dissimilarity.values.size() +
                  value.absolute.values.size() + value.signedMean.values.size()) *
                 sizeof(float);
    }
    return total;
}

}  // namespace qs::widgets
