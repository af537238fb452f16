#include "widgets/compare/loaded_pictures.h"

#include "core/image/picture_file.h"
#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "core/run/stored_output.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

namespace qs::widgets {

namespace {

struct LoadedPicturesText {
    Q_DECLARE_TR_FUNCTIONS(LoadedPictures)
};

PaneContent contentOf(core::Picture picture)
{
    PaneContent content;
    content.picture = std::make_shared<const core::Picture>(core::toRgb(std::move(picture)));
    content.shown = paneImage(content.picture);
    return content;
}

PaneContent problemOf(const core::Error& error)
{
    PaneContent content;
    if (error.code == core::ErrorCode::NotFound)
        content.problem = LoadedPicturesText::tr("This image was not saved in the run folder.");
    else
        content.problem = LoadedPicturesText::tr("This image cannot be read: %1")
                              .arg(QString::fromStdString(error.message));
    return content;
}

PaneContent loadInput(const PictureRequest& request)
{
    core::Result<core::Picture> read = core::readPicture(
        core::inputPicture(request.runFolder, request.imageSize, request.picture));
    if (!read.ok())
        return problemOf(read.error());
    const core::Picture& whole = read.value();
    const core::MiddlePart part = request.part.of(whole.height, whole.width);
    const auto rows = static_cast<int>(part.rows);
    const auto columns = static_cast<int>(part.columns);
    return contentOf(core::cropped(whole, (whole.width - columns) / 2, (whole.height - rows) / 2,
                                   columns, rows));
}

PaneContent loadOutput(const PictureRequest& request, const OutputSource& source)
{
    if (source.cellId.empty())
        return {};
    if (!source.unavailable.isEmpty()) {
        PaneContent content;
        content.problem = source.unavailable;
        return content;
    }
    core::Result<core::StoredOutput> read =
        core::readStoredOutput(source.runFolder.empty() ? request.runFolder : source.runFolder,
                               core::outputPlace(source.cellId, source.folder), request.picture);
    if (!read.ok())
        return problemOf(read.error());
    core::StoredOutput output = std::move(read).value();
    PaneContent content = contentOf(std::move(output.picture));
    content.rounded = output.rounded;
    return content;
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
    if (compared.ok()) {
        Comparison value = std::move(compared).value();
        value.rounded = picture.rounded || reference.rounded;
        value.flip = lazyFlip(picture.picture, reference.picture);
        for (const MapKind kind : kMapKinds) {
            if (const auto variant = otherVariantOf(kind))
                value.variants.at(static_cast<std::size_t>(*variant)) =
                    lazySsim(picture.picture, reference.picture, *variant);
        }
        content.value = std::make_shared<const Comparison>(std::move(value));
    } else {
        content.problem = LoadedPicturesText::tr("These images cannot be compared: %1")
                              .arg(QString::fromStdString(compared.error().message));
    }
    return content;
}

// What an earlier answer has of the same picture of the same run.
class Known
{
public:
    Known(const LoadedPictures* loaded, const PictureRequest& request)
    {
        if (loaded == nullptr || loaded->request.runFolder != request.runFolder ||
            loaded->request.imageSize != request.imageSize ||
            loaded->request.picture != request.picture)
            return;
        const PictureRequest& before = loaded->request;
        if (before.part == request.part)
            m_input = &loaded->input;
        m_sameReference = before.reference == request.reference;
        add(before.reference, loaded->reference, nullptr);
        add(before.a, loaded->a, &loaded->aToReference);
        add(before.b, loaded->b, &loaded->bToReference);
        for (std::size_t i = 0; i < loaded->pinned.size(); ++i)
            add(before.pinned[i], loaded->pinned[i].content, &loaded->pinned[i].toReference);
    }

    [[nodiscard]] const PaneContent* input() const
    {
        return m_input != nullptr && m_input->picture != nullptr ? m_input : nullptr;
    }
    [[nodiscard]] const PaneContent* output(const OutputSource& source) const
    {
        for (const Part& part : m_parts) {
            if (*part.source == source && part.content->picture != nullptr)
                return part.content;
        }
        return nullptr;
    }
    [[nodiscard]] const ComparisonContent* toReference(const OutputSource& source) const
    {
        for (const Part& part : m_parts) {
            if (m_sameReference && *part.source == source && part.toReference != nullptr &&
                part.toReference->value != nullptr)
                return part.toReference;
        }
        return nullptr;
    }

private:
    struct Part {
        const OutputSource* source;
        const PaneContent* content;
        const ComparisonContent* toReference;
    };

    void add(const OutputSource& source, const PaneContent& content,
             const ComparisonContent* toReference)
    {
        m_parts.push_back({&source, &content, toReference});
    }

    const PaneContent* m_input = nullptr;
    bool m_sameReference = false;
    std::vector<Part> m_parts;
};

// Loads the parts of one answer.
class Loading
{
public:
    Loading(const PictureRequest& request, const LoadedPictures* known)
        : m_request(request), m_known(known, request)
    {
    }

    LoadedPictures all()
    {
        LoadedPictures loaded;
        loaded.request = m_request;
        loaded.input = m_known.input() != nullptr ? *m_known.input() : loadInput(m_request);
        m_reference = loaded.reference = output(m_request.reference);
        loaded.a = m_request.a == m_request.reference ? loaded.reference : output(m_request.a);
        loaded.b = output(m_request.b);
        loaded.aToReference = toReference(m_request.a, loaded.a);
        loaded.bToReference = toReference(m_request.b, loaded.b);
        for (const OutputSource& source : m_request.pinned) {
            PinnedPictures pinned{.content = output(source), .toReference = {}};
            pinned.toReference = toReference(source, pinned.content);
            loaded.pinned.push_back(std::move(pinned));
        }
        return loaded;
    }

private:
    PaneContent output(const OutputSource& source)
    {
        const PaneContent* known = m_known.output(source);
        return known != nullptr ? *known : loadOutput(m_request, source);
    }
    ComparisonContent toReference(const OutputSource& source, const PaneContent& content)
    {
        if (source.cellId.empty() || m_request.reference.cellId.empty())
            return {};
        const ComparisonContent* known = m_known.toReference(source);
        return known != nullptr ? *known : compareContents(content, m_reference);
    }

    const PictureRequest& m_request;
    Known m_known;
    PaneContent m_reference;
};

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
    comparison.worstTiles = core::worstTiles(comparison.ssim.map, reference, kWorstTiles);
    comparison.dissimilarity = oneMinus(std::exchange(comparison.ssim.map, {}));
    comparison.absolute = absoluteDifference(picture, reference);
    comparison.psnrDb = shown.psnrDb;
    comparison.maximumDifference = raw.maxAbsolute;
    comparison.identical = raw.identical;
    return comparison;
}

const core::PixelMap& mapOf(const Comparison& comparison, MapKind kind)
{
    static const core::PixelMap none;
    switch (kind) {
    case MapKind::Flip:
        return comparison.flip != nullptr && comparison.flip->get().ok()
                   ? comparison.flip->get().value().map
                   : none;
    case MapKind::Absolute:
        return comparison.absolute;
    case MapKind::Signed:
        return comparison.signedMean;
    case MapKind::DissimilaritySkimage:
    case MapKind::DissimilarityReflect101:
    case MapKind::DissimilarityReplicate:
        if (const auto* variant = comparison.variant(*variantOf(kind)))
            return variant->get().ok() ? variant->get().value().map : none;
        return none;
    case MapKind::Dissimilarity:
        break;
    }
    return comparison.dissimilarity;
}

LoadedPictures loadPictures(const PictureRequest& request, const LoadedPictures* known)
{
    try {
        return Loading(request, known).all();
    } catch (const std::exception& failure) {
        // Nothing may be thrown across the thread; what can be thrown here is a lack of memory.
        LoadedPictures loaded;
        loaded.request = request;
        loaded.a.problem = LoadedPicturesText::tr("The images could not be loaded: %1")
                               .arg(QString::fromLocal8Bit(failure.what()));
        loaded.input.problem = loaded.reference.problem = loaded.aToReference.problem =
            loaded.a.problem;
        return loaded;
    }
}

bool LoadedPictures::complete() const
{
    return input.problem.isEmpty() && reference.problem.isEmpty() && a.problem.isEmpty() &&
           b.problem.isEmpty() &&
           std::all_of(pinned.begin(), pinned.end(),
                       [](const PinnedPictures& each) { return each.content.problem.isEmpty(); });
}

std::size_t LoadedPictures::bytes() const
{
    std::size_t total = 0;
    const auto addPane = [&](const PaneContent& pane) {
        if (pane.picture != nullptr)
            total += pane.picture->values.size() * sizeof(float) + pane.shown.bytes();
    };
    const auto addComparison = [&](const ComparisonContent& comparison) {
        if (comparison.value == nullptr)
            return;
        for (const core::PixelMap* map :
             {&comparison.value->dissimilarity, &comparison.value->absolute,
              &comparison.value->signedMean})
            total += map->values.size() * sizeof(float);
        // FLIP's and those of the other variants of SSIM are as large, and may come any time.
        const auto& variants = comparison.value->variants;
        const auto later = std::count_if(variants.begin(), variants.end(),
                                         [](const auto& map) { return map != nullptr; }) +
                           (comparison.value->flip != nullptr ? 1 : 0);
        total += static_cast<std::size_t>(later) * comparison.value->absolute.values.size() *
                 sizeof(float);
    };
    for (const PaneContent* pane : {&input, &reference, &a, &b})
        addPane(*pane);
    for (const ComparisonContent* comparison : {&aToReference, &bToReference})
        addComparison(*comparison);
    for (const PinnedPictures& each : pinned) {
        addPane(each.content);
        addComparison(each.toReference);
    }
    return total;
}

}  // namespace qs::widgets
