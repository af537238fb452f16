#include "core/report/html/output_images.h"

#include "core/base/files.h"
#include "core/image/colormap.h"
#include "core/image/picture_file.h"
#include "core/image/png_codec.h"
#include "core/image/resize.h"
#include "core/record/output_places.h"
#include "core/record/run_folder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace qs::core {

namespace {

int stored(const Analysis& analysis, const CellSummary& summary)
{
    return analysis.outputs.pictures(summary.cellId, summary.environmentId);
}

FilePlace fileOf(const RunData& data, const Analysis& analysis, const CellSummary& summary,
                 int image)
{
    const std::string place = outputPlace(
        summary.cellId, analysis.outputs.subfolder(summary.cellId, summary.environmentId));
    return outputPicture(data.folder, place, image);
}

Result<Picture> readOutput(const RunData& data, const Analysis& analysis,
                           const CellSummary& summary, int image)
{
    return readPicture(fileOf(data, analysis, summary, image));
}

// The image that differs most and is there for both; a copy of a run may have left out some.
int imageToShow(const RunData& data, const Analysis& analysis, const CellSummary& reference,
                const CellSummary& farthest)
{
    const QualityFigures& quality = *farthest.quality;
    std::vector<std::size_t> order(quality.samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return quality.distances[a] > quality.distances[b];
    });
    for (const std::size_t i : order) {
        const int image = quality.samples[i];
        if (isThere(fileOf(data, analysis, reference, image)) &&
            isThere(fileOf(data, analysis, farthest, image)))
            return image;
    }
    return 0;
}

double distanceOf(const CellSummary& summary)
{
    return summary.quality ? summary.quality->distance : 0.0;
}

std::vector<float> absoluteDifference(const Picture& picture, const Picture& reference)
{
    const auto channels = static_cast<std::size_t>(picture.channels);
    std::vector<float> difference(picture.values.size() / channels);
    for (std::size_t i = 0; i < difference.size(); ++i) {
        for (std::size_t c = 0; c < channels; ++c)
            difference[i] +=
                std::abs(picture.values[i * channels + c] - reference.values[i * channels + c]) /
                static_cast<float>(channels);
    }
    return difference;
}

// A map takes about a third of its image.
std::size_t withMap(std::size_t bytes)
{
    return bytes + bytes / 3;
}

Result<OutputImage> readOne(const RunData& data, const Analysis& analysis,
                            const CellSummary& summary, const ImageGroup& group,
                            const Picture& reference)
{
    OutputImage output{.summary = &summary, .png = {}, .difference = {}};
    if (summary.identical())
        return output;
    QS_TRY(Picture picture, readOutput(data, analysis, summary, group.image));
    picture = resizeToFit(toRgb(std::move(picture)), kLongestSide);
    if (picture.width != reference.width || picture.height != reference.height)
        return Error{ErrorCode::InvalidArgument, "its size is not that of the reference"};
    QS_TRY(output.png, encodePng(picture, {}));
    output.difference = absoluteDifference(picture, reference);
    return output;
}

}  // namespace

std::vector<ImageCandidates> imageCandidates(const Analysis& analysis)
{
    std::map<const CellSummary*, std::vector<const CellSummary*>> byReference;
    std::vector<const CellSummary*> order;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell == nullptr || summary.cell->output != OutputKind::Image ||
            !summary.quality || summary.cell->rerun > 0 || stored(analysis, summary) == 0)
            continue;
        const CellSummary* reference = analysis.find(summary.cell->referenceId);
        if (reference == nullptr || reference == &summary || stored(analysis, *reference) == 0 ||
            reference->environmentId != summary.environmentId)
            continue;
        const auto [known, isNew] = byReference.try_emplace(reference);
        if (isNew)
            order.push_back(reference);
        known->second.push_back(&summary);
    }
    std::vector<ImageCandidates> all;
    for (const CellSummary* reference : order) {
        std::vector<const CellSummary*>& cells = byReference[reference];
        std::stable_sort(cells.begin(), cells.end(), [](const auto* a, const auto* b) {
            return distanceOf(*a) > distanceOf(*b);
        });
        all.push_back({reference, std::move(cells)});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.cells.size() > b.cells.size(); });
    return all;
}

Result<ImageGroup> readImages(const RunData& data, const Analysis& analysis,
                              const ImageCandidates& candidates, std::size_t mostBytes)
{
    const CellSummary& farthest = *candidates.cells.front();
    ImageGroup group{.reference = candidates.reference};
    group.image = imageToShow(data, analysis, *candidates.reference, farthest);
    QS_TRY(Picture reference, readOutput(data, analysis, *candidates.reference, group.image));
    group.reduced = std::max(reference.width, reference.height) > kLongestSide;
    reference = resizeToFit(toRgb(std::move(reference)), kLongestSide);
    group.width = reference.width;
    group.height = reference.height;
    QS_TRY(group.referencePng, encodePng(reference, {}));
    std::size_t bytes = group.referencePng.size();
    for (const CellSummary* summary : candidates.cells) {
        if (stored(analysis, *summary) <= group.image)
            continue;
        Result<OutputImage> output = readOne(data, analysis, *summary, group, reference);
        if (!output.ok()) {
            group.unread.push_back(output.error().message);
            continue;
        }
        const std::size_t needed = withMap(output.value().png.size());
        if (bytes + needed > mostBytes)
            break;
        bytes += needed;
        group.outputs.push_back(std::move(output).value());
    }
    return group;
}

Result<std::string> differenceMap(const ImageGroup& group, const OutputImage& output, double full)
{
    constexpr double kSteps = 32.0;
    Picture map = makePicture(group.width, group.height, 3);
    for (std::size_t i = 0; i < output.difference.size(); ++i) {
        const double share = std::min(1.0, static_cast<double>(output.difference[i]) / full);
        const RgbBytes colour = mapToRgb(std::round(share * kSteps) / kSteps, Colormap::Magma);
        for (std::size_t c = 0; c < 3; ++c)
            map.values[3 * i + c] = static_cast<float>(colour[c]) / 255.0F;
    }
    return encodePng(map, {});
}

double mapScale(const ImageGroup& group)
{
    constexpr double kShare = 0.995;
    std::vector<float> all;
    for (const OutputImage& output : group.outputs)
        all.insert(all.end(), output.difference.begin(), output.difference.end());
    if (all.empty())
        return 1.0;
    const auto place =
        all.begin() + static_cast<std::ptrdiff_t>(kShare * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), place, all.end());
    const double value = *place;
    if (!(value > 0.0))
        return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (value <= factor * power)
            return factor * power;
    }
    return 10.0 * power;
}

}  // namespace qs::core
