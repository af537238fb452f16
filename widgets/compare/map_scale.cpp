#include "widgets/compare/map_scale.h"

#include "core/image/flip.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

struct MapScaleText {
    Q_DECLARE_TR_FUNCTIONS(MapScale)
};

QString number(double value)
{
    return QLocale().toString(value, 'g', 6);
}

QString variantName(MapKind kind)
{
    const auto variant = variantOf(kind);
    return variant ? QString::fromStdString(core::name(*variant)) : QString();
}

}  // namespace

double defaultRange(MapKind kind)
{
    // Differences of a tenth of the whole range are already plain to see in the pictures.
    return isDifference(kind) ? 0.1 : 1.0;
}

std::optional<core::SsimVariant> variantOf(MapKind kind)
{
    switch (kind) {
    case MapKind::Dissimilarity:
        return core::SsimVariant::Wang04;
    case MapKind::DissimilaritySkimage:
        return core::SsimVariant::Skimage;
    case MapKind::DissimilarityReflect101:
        return core::SsimVariant::Reflect101;
    case MapKind::DissimilarityReplicate:
        return core::SsimVariant::Replicate;
    case MapKind::Flip:
    case MapKind::Absolute:
    case MapKind::Signed:
        break;
    }
    return std::nullopt;
}

std::optional<core::SsimVariant> otherVariantOf(MapKind kind)
{
    return kind == MapKind::Dissimilarity ? std::nullopt : variantOf(kind);
}

bool isDifference(MapKind kind)
{
    return kind == MapKind::Absolute || kind == MapKind::Signed;
}

QString kindName(MapKind kind)
{
    switch (kind) {
    case MapKind::Dissimilarity:
        return MapScaleText::tr("1 − SSIM");
    case MapKind::Flip:
        return MapScaleText::tr("FLIP");
    case MapKind::Absolute:
        return MapScaleText::tr("|Δ|");
    case MapKind::Signed:
        return MapScaleText::tr("Δ (signed)");
    case MapKind::DissimilaritySkimage:
        return MapScaleText::tr("1 − SSIM (skimage)");
    case MapKind::DissimilarityReflect101:
        return MapScaleText::tr("1 − SSIM (torchmetrics/OpenCV)");
    case MapKind::DissimilarityReplicate:
        return MapScaleText::tr("1 − SSIM (MATLAB)");
    }
    return {};
}

QString kindExplanation(MapKind kind)
{
    switch (kind) {
    case MapKind::Dissimilarity:
        return MapScaleText::tr(
                   "1 − SSIM around each pixel, mean of the channels: 0 = same structure. %1; "
                   "the border of 5 pixels has no value.")
            .arg(variantName(kind));
    case MapKind::Flip:
        return MapScaleText::tr(
                   "FLIP: the difference that an observer sees when the two images alternate "
                   "on a screen, at %1 pixels per degree of vision (0.7 m from a 4K screen "
                   "that is 0.7 m wide). 0 (black) = no visible difference, 1 = largest "
                   "difference. Values outside 0 … 1 are clamped first, as a screen does.")
            .arg(number(core::kUsualPixelsPerDegree));
    case MapKind::Absolute:
        return MapScaleText::tr(
            "Absolute difference of each pixel, maximum over channels; from 0 to 1.");
    case MapKind::Signed:
        return MapScaleText::tr(
            "Difference of each pixel, mean of its channels: red = A is brighter, "
            "blue = A is darker.");
    case MapKind::DissimilaritySkimage:
        return MapScaleText::tr("1 − SSIM around each pixel as scikit-image computes it: 0 = same "
                                "structure. %1; the border of 3 pixels has no value.")
            .arg(variantName(kind));
    case MapKind::DissimilarityReflect101:
        return MapScaleText::tr(
                   "1 − SSIM around each pixel as torchmetrics and OpenCV compute it: 0 = "
                   "same structure. %1; the image is mirrored at the border.")
            .arg(variantName(kind));
    case MapKind::DissimilarityReplicate:
        return MapScaleText::tr(
                   "1 − SSIM around each pixel as MATLAB computes it: 0 = same structure. %1; "
                   "the last pixels are repeated at the border.")
            .arg(variantName(kind));
    }
    return {};
}

QString viewingDistance()
{
    return MapScaleText::tr("%1 px/°").arg(number(core::kUsualPixelsPerDegree));
}

QString rangeText(const MapScale& scale)
{
    if (scale.kind == MapKind::Signed)
        return MapScaleText::tr("±%1").arg(number(scale.range));
    return MapScaleText::tr("0 … %1").arg(number(scale.range));
}

QString scaleTitle(const MapScale& scale)
{
    const QString name = scale.kind == MapKind::Flip
                             ? MapScaleText::tr("FLIP at %1").arg(viewingDistance())
                             : kindName(scale.kind);
    if (scale.range >= 1.0)
        return name;
    return MapScaleText::tr("%1, %2× magnified").arg(name, number(std::round(1.0 / scale.range)));
}

double largestMagnitude(const core::PixelMap& map)
{
    double largest = 0.0;
    for (const float value : map.values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

double automaticRange(const std::vector<const core::PixelMap*>& maps, MapKind kind)
{
    constexpr double kPart = 0.995;
    double largest = 0.0;
    for (const core::PixelMap* map : maps) {
        std::vector<float> magnitudes;
        magnitudes.reserve(map->values.size());
        for (const float value : map->values) {
            if (std::isfinite(value))
                magnitudes.push_back(std::abs(value));
        }
        if (magnitudes.empty())
            continue;
        const auto place =
            std::min(magnitudes.size() - 1,
                     static_cast<std::size_t>(kPart * static_cast<double>(magnitudes.size())));
        const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(magnitudes.begin(), at, magnitudes.end());
        // Where hardly a pixel differs, those that do are what there is to see.
        largest = std::max(largest, *at > 0.0F ? double{*at} : largestMagnitude(*map));
    }
    if (largest <= 0.0)
        return defaultRange(kind);
    const double power = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double step : {1.0, 2.0, 5.0}) {
        // 0.3 is not three tenths: a value on a step stays there.
        if (largest <= step * power * (1.0 + 1e-6))
            return std::min(1.0, step * power);
    }
    return std::min(1.0, 10.0 * power);
}

}  // namespace qs::widgets
