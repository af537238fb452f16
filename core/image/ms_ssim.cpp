#include "core/image/ms_ssim.h"

#include "core/base/stop.h"
#include "core/image/comparable.h"
#include "core/image/local_moments.h"
#include "core/image/parallel_bands.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace qs::core {

namespace {

constexpr std::array kWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

cv::Mat planeOf(const Picture& picture, int channel)
{
    cv::Mat plane(picture.height, picture.width, CV_64F);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x)
            plane.at<double>(y, x) = static_cast<double>(picture.at(x, y, channel));
    }
    return plane;
}

// Means over all windows of one scale.
struct Terms {
    double similarity = 0.0;  // luminance, contrast and structure together
    double structure = 0.0;   // contrast and structure
};

// Sums over one row of windows.
Terms sumsOf(const LocalMoments& moments, double c1, double c2)
{
    const double* x = moments.meanX.data();
    const double* y = moments.meanY.data();
    Terms sums;
    for (std::size_t i = 0; i < moments.meanX.size(); ++i) {
        const double structure = (2.0 * moments.covariance[i] + c2) / (moments.variances[i] + c2);
        sums.structure += structure;
        sums.similarity += (2.0 * x[i] * y[i] + c1) / (x[i] * x[i] + y[i] * y[i] + c1) * structure;
    }
    return sums;
}

Terms termsOf(const cv::Mat& x, const cv::Mat& y, double range, const std::stop_token& stop)
{
    const double c1 = std::pow(0.01 * range, 2);
    const double c2 = std::pow(0.03 * range, 2);
    const MomentWindow window = gaussianWindow();
    const int around = 2 * window.radius();
    // Added up in order when all bands are through, whoever was first.
    std::vector<Terms> rows(static_cast<std::size_t>(x.rows - around));
    const auto addBand = [&](int first, int last) {
        const cv::Range band(first, last + around);
        forEachMomentRow(x.rowRange(band), y.rowRange(band), window,
                         [&](int row, const LocalMoments& moments) {
                             rows[static_cast<std::size_t>(first + row)] = sumsOf(moments, c1, c2);
                         });
    };
    forEachBand(x.rows - around, addBand, stop);
    Terms terms;
    for (const Terms& row : rows) {
        terms.structure += row.structure;
        terms.similarity += row.similarity;
    }
    const auto count = static_cast<double>(rows.size()) * (x.cols - around);
    return {terms.similarity / count, terms.structure / count};
}

cv::Mat halved(const cv::Mat& plane)
{
    const cv::Mat even = plane({0, 0, plane.cols / 2 * 2, plane.rows / 2 * 2});
    cv::Mat result;
    cv::resize(even, result, {even.cols / 2, even.rows / 2}, 0.0, 0.0, cv::INTER_AREA);
    return result;
}

double ofChannel(cv::Mat x, cv::Mat y, double range, const std::stop_token& stop)
{
    double product = 1.0;
    for (std::size_t scale = 0; scale < kWeights.size(); ++scale) {
        const Terms terms = termsOf(x, y, range, stop);
        const bool coarsest = scale + 1 == kWeights.size();
        const double term = coarsest ? terms.similarity : terms.structure;
        product *= std::pow(std::max(0.0, term), kWeights[scale]);
        if (coarsest)
            break;
        x = halved(x);
        y = halved(y);
    }
    return product;
}

}  // namespace

Result<double> msSsim(const Picture& a, const Picture& b, double range, const std::stop_token& stop)
{
    QS_RETURN_IF_ERROR(checkComparable(a, b));
    QS_RETURN_IF_ERROR(checkRange(range));
    if (std::min(a.width, a.height) < kSmallestMsSsimSide)
        return Error{ErrorCode::InvalidArgument,
                     "MS-SSIM needs at least " + std::to_string(kSmallestMsSsimSide) +
                         " pixels per side, not " + std::to_string(a.width) + " x " +
                         std::to_string(a.height)};
    try {
        double sum = 0.0;
        for (int channel = 0; channel < a.channels; ++channel) {
            sum += ofChannel(planeOf(a, channel), planeOf(b, channel), range, stop);
            QS_RETURN_IF_ERROR(checkNotStopped(stop));
        }
        return sum / a.channels;
    } catch (const cv::Exception& failure) {
        return Error{ErrorCode::Internal, "OpenCV: " + failure.msg};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory to compare the images"};
    }
}

}  // namespace qs::core
