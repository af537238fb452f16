#include "core/image/ssim.h"

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/image/comparable.h"
#include "core/image/local_moments.h"
#include "core/image/parallel_bands.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

struct Window {
    MomentWindow weights;
    int margin = 0;  // positions left out on each side
    int border = cv::BORDER_REFLECT_101;
};

Window windowOf(SsimVariant variant)
{
    if (variant == SsimVariant::Skimage)
        return {uniformWindow(), 3};
    return {gaussianWindow(), variant == SsimVariant::Wang04 ? 5 : 0,
            variant == SsimVariant::Replicate ? cv::BORDER_REPLICATE : cv::BORDER_REFLECT_101};
}

// Rows first - radius … last + radius of one channel in double, borders filled in: what the output
// rows first … last depend on.
// `rows` keeps its memory from channel to channel.
void fillRows(cv::Mat& rows, const Picture& picture, int channel, int first, int last,
              const Window& window)
{
    const int radius = window.weights.radius();
    rows.create(last - first + 2 * radius, picture.width + 2 * radius, CV_64F);
    for (int y = 0; y < rows.rows; ++y) {
        const int from = cv::borderInterpolate(first - radius + y, picture.height, window.border);
        auto* target = rows.ptr<double>(y);
        for (int x = 0; x < picture.width; ++x)
            target[radius + x] = static_cast<double>(picture.at(x, from, channel));
        for (int x = 1; x <= radius; ++x) {
            const int left = cv::borderInterpolate(-x, picture.width, window.border);
            const int right =
                cv::borderInterpolate(picture.width - 1 + x, picture.width, window.border);
            target[radius - x] = static_cast<double>(picture.at(left, from, channel));
            target[radius + picture.width - 1 + x] =
                static_cast<double>(picture.at(right, from, channel));
        }
    }
}

struct Constants {
    double c1 = 0.0;
    double c2 = 0.0;
};

// Adds the similarity at each position of a row to `sums`.
void addSimilarity(const LocalMoments& moments, const Constants& k, double* __restrict sums)
{
    const double* x = moments.meanX.data();
    const double* y = moments.meanY.data();
    const std::size_t count = moments.meanX.size();
    for (std::size_t i = 0; i < count; ++i)
        sums[i] += ((2.0 * x[i] * y[i] + k.c1) * (2.0 * moments.covariance[i] + k.c2)) /
                   ((x[i] * x[i] + y[i] * y[i] + k.c1) * (moments.variances[i] + k.c2));
}

// Adds the similarity of all channels to the output rows first … last (in rows of the picture).
// `sums` has one entry per position, the whole map in rows of `picture.width - 2 · margin`.
void addBand(const Picture& a, const Picture& b, int first, int last, const Window& window,
             const Constants& constants, std::vector<double>& sums)
{
    cv::Mat x;
    cv::Mat y;
    const std::ptrdiff_t columns = a.width - 2 * window.margin;
    for (int channel = 0; channel < a.channels; ++channel) {
        fillRows(x, a, channel, first, last, window);
        fillRows(y, b, channel, first, last, window);
        // Of the positions of a padded row, the margin is left out.
        const cv::Range inside(window.margin, x.cols - window.margin);
        forEachMomentRow(x.colRange(inside), y.colRange(inside), window.weights,
                         [&](int row, const LocalMoments& moments) {
                             addSimilarity(moments, constants,
                                           sums.data() + (first - window.margin + row) * columns);
                         });
    }
}

SsimResult summarise(const std::vector<double>& sums, const Picture& a, int margin)
{
    SsimResult result;
    result.map = {a.width - 2 * margin, a.height - 2 * margin, margin, margin, {}};
    result.map.values.reserve(sums.size());
    const auto channels = static_cast<double>(a.channels);
    double total = 0.0;
    std::size_t lowest = 0;
    const auto columns = static_cast<std::size_t>(result.map.width);
    // Row by row, so that the rounding error of the sum does not grow with the picture.
    for (std::size_t start = 0; start < sums.size(); start += columns) {
        double rowTotal = 0.0;
        for (std::size_t i = start; i < start + columns; ++i) {
            rowTotal += sums[i] / channels;
            lowest = sums[i] < sums[lowest] ? i : lowest;
            result.map.values.push_back(static_cast<float>(sums[i] / channels));
        }
        total += rowTotal;
    }
    result.mean = total / static_cast<double>(sums.size());
    result.lowest = sums[lowest] / channels;
    result.lowestX = margin + static_cast<int>(lowest % columns);
    result.lowestY = margin + static_cast<int>(lowest / columns);
    return result;
}

}  // namespace

std::string name(SsimVariant variant, double range)
{
    const std::string tail = " L=" + formatExact(range) + " mean-RGB]";
    switch (variant) {
    case SsimVariant::Wang04:
        return "SSIM[Wang04 gauss11 σ1.5 valid" + tail;
    case SsimVariant::Skimage:
        return "SSIM[skimage uniform7 sample-covariance valid" + tail;
    case SsimVariant::Reflect101:
        return "SSIM[torchmetrics/OpenCV gauss11 σ1.5 reflect101 uncropped" + tail;
    case SsimVariant::Replicate:
        return "SSIM[MATLAB gauss11 σ1.5 replicate uncropped" + tail;
    }
    return "SSIM[unknown]";
}

int smallestSide(SsimVariant variant)
{
    return variant == SsimVariant::Skimage ? 7 : 11;
}

Result<SsimResult> ssim(const Picture& a, const Picture& b, SsimVariant variant, double range,
                        const std::stop_token& stop)
{
    QS_RETURN_IF_ERROR(checkComparable(a, b));
    QS_RETURN_IF_ERROR(checkRange(range));
    const int smallest = smallestSide(variant);
    if (std::min(a.width, a.height) < smallest)
        return Error{ErrorCode::InvalidArgument,
                     name(variant, range) + " needs at least " + std::to_string(smallest) +
                         " pixels per side, not " + std::to_string(a.width) + " x " +
                         std::to_string(a.height)};
    try {
        const Window window = windowOf(variant);
        const Constants constants{std::pow(0.01 * range, 2), std::pow(0.03 * range, 2)};
        const int rows = a.height - 2 * window.margin;
        const int columns = a.width - 2 * window.margin;
        std::vector<double> sums(static_cast<std::size_t>(rows) *
                                 static_cast<std::size_t>(columns));
        forEachBand(
            rows,
            [&](int first, int last) {
                addBand(a, b, first + window.margin, last + window.margin, window, constants, sums);
            },
            stop);
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        return summarise(sums, a, window.margin);
    } catch (const cv::Exception& failure) {
        return Error{ErrorCode::Internal, "OpenCV: " + failure.msg};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory to compare the images"};
    }
}

Result<double> torchmetricsSsim(const Picture& a, const Picture& b, const std::stop_token& stop)
{
    constexpr double kModelRange = 2.0;
    QS_TRY(const SsimResult result, ssim(a, b, SsimVariant::Reflect101, kModelRange, stop));
    return result.mean;
}

}  // namespace qs::core
