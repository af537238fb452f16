#include "core/image/ssim.h"

#include "core/base/format.h"
#include "core/image/comparable.h"
#include "core/image/parallel_bands.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kSigma = 1.5;

struct Window {
    cv::Mat weights; // one dimension; the window is their outer product
    int radius = 0;
    double sampleFactor = 1.0; // N / (N - 1) turns a population variance into a sample variance
    int margin = 0;            // positions left out on each side
    int border = cv::BORDER_REFLECT_101;
};

Window windowOf(SsimVariant variant)
{
    if (variant == SsimVariant::Skimage)
        return {cv::Mat(7, 1, CV_64F, cv::Scalar(1.0 / 7.0)), 3, 49.0 / 48.0, 3};
    Window window{cv::getGaussianKernel(11, kSigma, CV_64F), 5};
    window.margin = variant == SsimVariant::Wang04 ? 5 : 0;
    if (variant == SsimVariant::Replicate)
        window.border = cv::BORDER_REPLICATE;
    return window;
}

// Rows first - radius … last + radius of one channel in double, borders filled in: what the output
// rows first … last depend on.
cv::Mat paddedRows(const Picture& picture, int channel, int first, int last, const Window& window)
{
    const int radius = window.radius;
    cv::Mat rows(last - first + 2 * radius, picture.width + 2 * radius, CV_64F);
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
    return rows;
}

// Weighted mean of the window around each position; without the padding again.
cv::Mat windowMeans(const cv::Mat& padded, const Window& window)
{
    cv::Mat means;
    cv::sepFilter2D(padded, means, CV_64F, window.weights, window.weights, {-1, -1}, 0.0,
                    cv::BORDER_REPLICATE);
    const int radius = window.radius;
    return means({radius, radius, padded.cols - 2 * radius, padded.rows - 2 * radius});
}

struct Constants {
    double c1 = 0.0;
    double c2 = 0.0;
    double sampleFactor = 1.0;
};

// `squareX` … are E[x²], E[y²], E[xy]. Rounding can make a variance slightly negative or a
// covariance larger than its variances allow, which would break |SSIM| <= 1; the bound sqrt(v·v) is
// exactly v, so SSIM(x, x) stays 1.
double similarity(double meanX, double meanY, double squareX, double squareY, double product,
                  const Constants& k)
{
    const double varianceX = std::max(0.0, k.sampleFactor * (squareX - meanX * meanX));
    const double varianceY = std::max(0.0, k.sampleFactor * (squareY - meanY * meanY));
    const double bound = std::sqrt(varianceX * varianceY);
    const double covariance = std::clamp(k.sampleFactor * (product - meanX * meanY), -bound, bound);
    return ((2.0 * meanX * meanY + k.c1) * (2.0 * covariance + k.c2)) /
           ((meanX * meanX + meanY * meanY + k.c1) * (varianceX + varianceY + k.c2));
}

// Adds the similarity of one channel to the output rows first … last (in rows of the picture).
// `sums` has one entry per position, the whole map in rows of `picture.width - 2 · margin`.
void addChannel(const Picture& a, const Picture& b, int channel, int first, int last,
                const Window& window, const Constants& constants, std::vector<double>& sums)
{
    const cv::Mat x = paddedRows(a, channel, first, last, window);
    const cv::Mat y = paddedRows(b, channel, first, last, window);
    const cv::Mat meanX = windowMeans(x, window);
    const cv::Mat meanY = windowMeans(y, window);
    const cv::Mat squareX = windowMeans(x.mul(x), window);
    const cv::Mat squareY = windowMeans(y.mul(y), window);
    const cv::Mat product = windowMeans(x.mul(y), window);
    const int columns = a.width - 2 * window.margin;
    for (int row = 0; row < last - first; ++row) {
        double* sum =
            sums.data() + static_cast<std::ptrdiff_t>(first - window.margin + row) * columns;
        for (int i = 0; i < columns; ++i) {
            const int at = i + window.margin;
            sum[i] += similarity(meanX.at<double>(row, at), meanY.at<double>(row, at),
                                 squareX.at<double>(row, at), squareY.at<double>(row, at),
                                 product.at<double>(row, at), constants);
        }
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

} // namespace

std::string_view toString(SsimVariant variant)
{
    switch (variant) {
    case SsimVariant::Wang04:
        return "wang04";
    case SsimVariant::Skimage:
        return "skimage";
    case SsimVariant::Reflect101:
        return "reflect101";
    case SsimVariant::Replicate:
        return "replicate";
    }
    return "unknown";
}

std::optional<SsimVariant> ssimVariantFromString(std::string_view text)
{
    for (const SsimVariant variant : kSsimVariants) {
        if (toString(variant) == text)
            return variant;
    }
    return std::nullopt;
}

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

Result<SsimResult> ssim(const Picture& a, const Picture& b, SsimVariant variant, double range)
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
        const Constants constants{std::pow(0.01 * range, 2), std::pow(0.03 * range, 2),
                                  window.sampleFactor};
        const int rows = a.height - 2 * window.margin;
        const int columns = a.width - 2 * window.margin;
        std::vector<double> sums(static_cast<std::size_t>(rows) *
                                 static_cast<std::size_t>(columns));
        forEachBand(rows, [&](int first, int last) {
            for (int channel = 0; channel < a.channels; ++channel)
                addChannel(a, b, channel, first + window.margin, last + window.margin, window,
                           constants, sums);
        });
        return summarise(sums, a, window.margin);
    } catch (const cv::Exception& failure) {
        return Error{ErrorCode::Internal, "OpenCV: " + failure.msg};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory to compare the pictures"};
    }
}

} // namespace qs::core
