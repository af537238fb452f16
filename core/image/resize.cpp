#include "core/image/resize.h"

#include "core/base/checks.h"
#include "core/image/parallel_bands.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace qs::core {

namespace {

double support(ResizeFilter filter)
{
    switch (filter) {
    case ResizeFilter::Box:
        return 0.5;
    case ResizeFilter::Bicubic:
        return 2.0;
    case ResizeFilter::Lanczos:
        return 3.0;
    }
    return 0.5;
}

double bicubic(double x)
{
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1.0)
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    return x < 2.0 ? (((x - 5.0) * x + 8.0) * x - 4.0) * a : 0.0;
}

double sinc(double x)
{
    return x == 0.0 ? 1.0 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi);
}

double weightAt(ResizeFilter filter, double x)
{
    switch (filter) {
    case ResizeFilter::Box:
        return x > -0.5 && x <= 0.5 ? 1.0 : 0.0;
    case ResizeFilter::Bicubic:
        return bicubic(x);
    case ResizeFilter::Lanczos:
        return x >= -3.0 && x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0;
    }
    return 0.0;
}

// The input positions that one output position takes, and how much of each.
struct Taps {
    int first = 0;
    std::vector<double> weights;
};

// The part of the output that is wanted, along one direction.
struct Part {
    int first = 0;
    int count = 0;
};

std::vector<Taps> tapsFor(int from, int to, Part part, ResizeFilter filter)
{
    const double scale = static_cast<double>(from) / to;
    const double stretch = std::max(scale, 1.0);
    const double reach = support(filter) * stretch;
    std::vector<Taps> all(static_cast<std::size_t>(part.count));
    for (int i = 0; i < part.count; ++i) {
        Taps& taps = all[static_cast<std::size_t>(i)];
        const double centre = (part.first + i + 0.5) * scale;
        taps.first = std::max(0, static_cast<int>(centre - reach + 0.5));
        const int last = std::min(from, static_cast<int>(centre + reach + 0.5));
        double sum = 0.0;
        for (int at = taps.first; at < last; ++at) {
            taps.weights.push_back(weightAt(filter, (at - centre + 0.5) / stretch));
            sum += taps.weights.back();
        }
        for (double& weight : taps.weights)
            weight /= sum;
    }
    return all;
}

Picture resizedAcross(const Picture& picture, int width, Part part, ResizeFilter filter,
                      const std::stop_token& stop)
{
    if (width == picture.width && part.count == width)
        return picture;
    const std::vector<Taps> all = tapsFor(picture.width, width, part, filter);
    Picture result = makePicture(part.count, picture.height, picture.channels);
    const auto addUp = [&](int top, int bottom) {
        for (int y = top; y < bottom; ++y) {
            for (int x = 0; x < part.count; ++x) {
                const Taps& taps = all[static_cast<std::size_t>(x)];
                for (int c = 0; c < picture.channels; ++c) {
                    double sum = 0.0;
                    int from = taps.first;
                    for (const double weight : taps.weights)
                        sum += weight * static_cast<double>(picture.at(from++, y, c));
                    result.at(x, y, c) = static_cast<float>(sum);
                }
            }
        }
    };
    forEachBand(picture.height, addUp, stop);
    return result;
}

Picture resizedDown(const Picture& picture, int height, Part part, ResizeFilter filter,
                    const std::stop_token& stop)
{
    if (height == picture.height && part.count == height)
        return picture;
    const std::vector<Taps> all = tapsFor(picture.height, height, part, filter);
    Picture result = makePicture(picture.width, part.count, picture.channels);
    const std::size_t rowValues = picture.index(0, 1, 0);
    const auto addUp = [&](int top, int bottom) {
        std::vector<double> sums(rowValues);
        for (int y = top; y < bottom; ++y) {
            std::fill(sums.begin(), sums.end(), 0.0);
            const Taps& taps = all[static_cast<std::size_t>(y)];
            int from = taps.first;
            for (const double weight : taps.weights) {
                const float* row = picture.values.data() + picture.index(0, from++, 0);
                for (std::size_t i = 0; i < rowValues; ++i)
                    sums[i] += weight * static_cast<double>(row[i]);
            }
            std::transform(sums.begin(), sums.end(),
                           result.values.begin() +
                               static_cast<std::ptrdiff_t>(result.index(0, y, 0)),
                           [](double sum) { return static_cast<float>(sum); });
        }
    };
    forEachBand(part.count, addUp, stop);
    return result;
}

// Overshoot is cut off after each direction, as it is when the picture between them has 8 bits:
// left in, it moves noise and hard edges by tens of levels.
Picture resizedInRange(const Picture& picture, int width, Part across, int height, Part down,
                       ResizeFilter filter, const std::stop_token& stop)
{
    const Picture between =
        clamped(resizedAcross(picture, width, across, filter, stop), 0.0F, 1.0F);
    return clamped(resizedDown(between, height, down, filter, stop), 0.0F, 1.0F);
}

// Halves go to the even number, as Python's round() has it.
int roundedSide(double side)
{
    return std::max(1, static_cast<int>(std::nearbyint(side)));
}

}  // namespace

Picture resized(const Picture& picture, int width, int height, ResizeFilter filter,
                const std::stop_token& stop)
{
    QS_ASSERT(checkPicture(picture).ok());
    QS_ASSERT(checkPictureSize(width, height).ok());
    return resizedDown(resizedAcross(picture, width, {0, width}, filter, stop), height, {0, height},
                       filter, stop);
}

Picture centerCropAdm(Picture picture, int size, const std::stop_token& stop)
{
    QS_ASSERT(size >= 1 && size <= kLargestCrop);
    while (std::min(picture.width, picture.height) / 2 >= size)
        picture = resized(picture, picture.width / 2, picture.height / 2, ResizeFilter::Box, stop);
    const int shorter = std::min(picture.width, picture.height);
    const double scale = static_cast<double>(size) / shorter;
    const int width = roundedSide(picture.width * scale);
    const int height = roundedSide(picture.height * scale);
    // Only the centre is computed: the whole of a long strip could be beyond every limit.
    return resizedInRange(picture, width, {(width - size) / 2, size}, height,
                          {(height - size) / 2, size}, ResizeFilter::Bicubic, stop);
}

Picture resizeToFit(Picture picture, int longestSide, const std::stop_token& stop)
{
    QS_ASSERT(longestSide > 0);
    const int longest = std::max(picture.width, picture.height);
    if (longest <= longestSide)
        return picture;
    const double scale = static_cast<double>(longestSide) / longest;
    const int width = roundedSide(picture.width * scale);
    const int height = roundedSide(picture.height * scale);
    return resizedInRange(picture, width, {0, width}, height, {0, height}, ResizeFilter::Lanczos,
                          stop);
}

Picture paddedToSquare(Picture picture, int size, const std::stop_token& stop)
{
    QS_ASSERT(size >= 1 && size <= kLargestCrop);
    const Picture fitted = resizeToFit(std::move(picture), size, stop);
    if (fitted.width == size && fitted.height == size)
        return fitted;
    Picture square = makePicture(size, size, fitted.channels, 0.5F);
    const std::size_t rowValues = fitted.index(0, 1, 0);
    for (int y = 0; y < fitted.height; ++y)
        std::copy_n(fitted.values.data() + fitted.index(0, y, 0), rowValues,
                    square.values.data() + square.index(0, y, 0));
    return square;
}

}  // namespace qs::core
