#pragma once

#include "core/image/colormap.h"
#include "core/image/pixel_map.h"
#include "core/image/ssim.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace qs::widgets {

enum class MapKind {
    Dissimilarity,  // 1 - SSIM, Wang04
    Flip,           // the difference that an eye sees
    Absolute,       // |difference|, the largest channel
    Signed,         // difference, mean of the channels
    // 1 - SSIM as other programs compute it.
    DissimilaritySkimage,
    DissimilarityReflect101,
    DissimilarityReplicate,
};

// As in the enumeration.
inline constexpr std::array kMapKinds{MapKind::Dissimilarity,
                                      MapKind::Flip,
                                      MapKind::Absolute,
                                      MapKind::Signed,
                                      MapKind::DissimilaritySkimage,
                                      MapKind::DissimilarityReflect101,
                                      MapKind::DissimilarityReplicate};
// Upper ends that a person can choose; 1 is the whole scale.
inline constexpr std::array kMapRanges{1.0, 0.1, 0.01, 0.001, 0.0001};

// What a person wants of the maps: a range, or one that suits all of them.
struct MapWish {
    MapKind kind = MapKind::Dissimilarity;
    std::optional<double> range = {};  // none: automaticRange()

    bool operator==(const MapWish&) const = default;
};

// What the colours of all maps mean: two maps can be compared only under one scale.
struct MapScale {
    MapKind kind = MapKind::Dissimilarity;
    double range = 1.0;

    [[nodiscard]] double low() const { return kind == MapKind::Signed ? -range : 0.0; }
    [[nodiscard]] double high() const { return range; }
    [[nodiscard]] core::Colormap colormap() const
    {
        return kind == MapKind::Signed ? core::Colormap::BlueWhiteRed : core::Colormap::Magma;
    }
    bool operator==(const MapScale&) const = default;
};

[[nodiscard]] double defaultRange(MapKind kind);
// The variant that a map of 1 - SSIM is of; none for the other kinds.
[[nodiscard]] std::optional<core::SsimVariant> variantOf(MapKind kind);
// The same without Wang04, which all figures are of and the panes tell already.
[[nodiscard]] std::optional<core::SsimVariant> otherVariantOf(MapKind kind);
// Whether values are parts of the range of pixel values.
[[nodiscard]] bool isDifference(MapKind kind);
// "1 − SSIM", "FLIP", "|Δ|", "Δ", "1 − SSIM (skimage)".
[[nodiscard]] QString kindName(MapKind kind);
// What the map shows, in words, for tooltips.
[[nodiscard]] QString kindExplanation(MapKind kind);
// "67 px/°": the viewing distance that FLIP maps are made for.
[[nodiscard]] QString viewingDistance();
// "0 … 0.01" or "±0.01".
[[nodiscard]] QString rangeText(const MapScale& scale);
// The kind with its unit, "1 − SSIM" or "FLIP at 67 px/°", and ", 100× magnified" unless the scale
// is whole.
[[nodiscard]] QString scaleTitle(const MapScale& scale);

// The largest magnitude in a map; 0 for an empty one.
[[nodiscard]] double largestMagnitude(const core::PixelMap& map);
// Under which every one of the maps shows something: the 99.5th percentile of the magnitudes, of
// that map where it is the largest, rounded up to 1, 2 or 5 times a power of ten. Single pixels far
// beyond all others do not make the rest black. Of maps of zeros, which are rightly black, the
// usual range.
[[nodiscard]] double automaticRange(const std::vector<const core::PixelMap*>& maps, MapKind kind);

}  // namespace qs::widgets
