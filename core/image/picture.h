#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qs::core {

// Limits of every picture this program makes or reads: beyond them a damaged header, not a picture,
// is likely.
inline constexpr int kMaxPictureSide = 16384;
inline constexpr std::int64_t kMaxPicturePixels = 100'000'000;

// A picture in memory: rows from the top, pixels from the left, channels interleaved (HWC), 1
// (grey) or 3 (RGB). Values are sRGB-encoded, nominally 0..1. Outputs of a model may leave that
// range or be non-finite; functions that cannot take such values say so.
struct Picture {
    int width = 0;
    int height = 0;
    int channels = 3;
    std::vector<float> values;

    [[nodiscard]] std::size_t index(int x, int y, int channel) const
    {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(channels) +
               static_cast<std::size_t>(channel);
    }
    [[nodiscard]] float at(int x, int y, int channel) const { return values[index(x, y, channel)]; }
    [[nodiscard]] float& at(int x, int y, int channel) { return values[index(x, y, channel)]; }

    friend bool operator==(const Picture&, const Picture&) = default;
};

// A picture of one value. Sizes must be positive and within the limits, channels 1 or 3 (checked).
[[nodiscard]] Picture makePicture(int width, int height, int channels, float value = 0.0F);

// Says what is wrong if the sizes are not positive, beyond the limits or contradict the number of
// values.
[[nodiscard]] Status checkPicture(const Picture& picture);
[[nodiscard]] Status checkPictureSize(std::int64_t width, std::int64_t height);

// Planar array of shape [channels, height, width], as models take it.
[[nodiscard]] FloatArray toPlanar(const Picture& picture);
// From [C,H,W] or [1,C,H,W] with C 1 or 3.
[[nodiscard]] Result<Picture> pictureFromPlanar(const FloatArray& array);
// From [N,C,H,W], one picture per entry.
[[nodiscard]] Result<std::vector<Picture>> picturesFromPlanar(const FloatArray& array);

// 8-bit values, interleaved: clamped to 0..1, times 255, halves rounded up; NaN becomes 0.
[[nodiscard]] std::vector<std::uint8_t> toBytes(const Picture& picture);
[[nodiscard]] std::uint8_t toByte(float value);
[[nodiscard]] Result<Picture> pictureFromBytes(int width, int height, int channels,
                                               std::span<const std::uint8_t> bytes);

// Grey becomes three equal channels; RGB is returned as it is.
[[nodiscard]] Picture toRgb(Picture picture);
// Every value limited to low..high; NaN stays NaN.
[[nodiscard]] Picture clamped(Picture picture, float low, float high);
// The part that starts at (x, y); it must lie inside (checked).
[[nodiscard]] Picture cropped(const Picture& picture, int x, int y, int width, int height);

}  // namespace qs::core
