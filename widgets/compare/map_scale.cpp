#include "widgets/compare/map_scale.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("MapScale", text);
}

QString number(double value)
{
    return QLocale().toString(value, 'g', 6);
}

}  // namespace

double defaultRange(MapKind kind)
{
    // Differences of a tenth of the whole range are already plain to see in the pictures.
    return kind == MapKind::Dissimilarity ? 1.0 : 0.1;
}

QString kindName(MapKind kind)
{
    switch (kind) {
    case MapKind::Dissimilarity:
        return translated("1 − SSIM");
    case MapKind::Absolute:
        return translated("|Δ|");
    case MapKind::Signed:
        return translated("Δ (signed)");
    }
    return {};
}

QString kindExplanation(MapKind kind)
{
    switch (kind) {
    case MapKind::Dissimilarity:
        return translated("1 − SSIM around each pixel, mean of the channels: 0 = the same "
                          "structure. SSIM[Wang04 gauss11 σ1.5 valid L=1 mean-RGB]; the border of "
                          "5 pixels has no value.");
    case MapKind::Absolute:
        return translated("Absolute difference of each pixel, the largest of its channels; "
                          "values run from 0 to 1.");
    case MapKind::Signed:
        return translated("Difference of each pixel, mean of its channels: red = A is brighter, "
                          "blue = A is darker.");
    }
    return {};
}

QString rangeText(const MapScale& scale)
{
    if (scale.kind == MapKind::Signed)
        return translated("±%1").arg(number(scale.range));
    return translated("0 … %1").arg(number(scale.range));
}

QString scaleTitle(const MapScale& scale)
{
    if (scale.range >= 1.0)
        return kindName(scale.kind);
    return translated("%1, %2× magnified")
        .arg(kindName(scale.kind), number(std::round(1.0 / scale.range)));
}

double largestMagnitude(const core::PixelMap& map)
{
    double largest = 0.0;
    for (const float value : map.values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

std::optional<double> clearerRange(const core::PixelMap& map, const MapScale& scale)
{
    const double largest = largestMagnitude(map);
    if (largest <= 0.0 || largest >= 0.1 * scale.range)
        return std::nullopt;
    double best = scale.range;
    for (const double range : kMapRanges) {
        if (range < best && largest <= range)
            best = range;
    }
    return best < scale.range ? std::optional(best) : std::nullopt;
}

}  // namespace qs::widgets
