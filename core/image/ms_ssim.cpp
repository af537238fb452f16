#include "core/image/ms_ssim.h"

#include "core/base/format.h"
#include "core/image/comparable.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::array kWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
constexpr int kRadius = 5;
constexpr double kSigma = 1.5;

cv::Mat planeOf(const Picture& picture, int channel)
{
    cv::Mat plane(picture.height, picture.width, CV_64F);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x)
            plane.at<double>(y, x) = static_cast<double>(picture.at(x, y, channel));
    }
    return plane;
}

// Weighted means of the windows that lie inside.
cv::Mat insideMeans(const cv::Mat& plane)
{
    static const cv::Mat kKernel = cv::getGaussianKernel(2 * kRadius + 1, kSigma, CV_64F);
    cv::Mat means;
    cv::sepFilter2D(plane, means, CV_64F, kKernel, kKernel, {-1, -1}, 0.0, cv::BORDER_REPLICATE);
    return means({kRadius, kRadius, plane.cols - 2 * kRadius, plane.rows - 2 * kRadius});
}

// Means over all windows of one scale.
struct Terms {
    double similarity = 0.0;  // luminance, contrast and structure together
    double structure = 0.0;   // contrast and structure
};

Terms termsOf(const cv::Mat& x, const cv::Mat& y, double range)
{
    const double c1 = std::pow(0.01 * range, 2);
    const double c2 = std::pow(0.03 * range, 2);
    const cv::Mat meanX = insideMeans(x);
    const cv::Mat meanY = insideMeans(y);
    const cv::Mat squareX = insideMeans(x.mul(x));
    const cv::Mat squareY = insideMeans(y.mul(y));
    const cv::Mat product = insideMeans(x.mul(y));
    Terms terms;
    for (int row = 0; row < meanX.rows; ++row) {
        Terms ofRow;
        for (int i = 0; i < meanX.cols; ++i) {
            const double mx = meanX.at<double>(row, i);
            const double my = meanY.at<double>(row, i);
            const double vx = std::max(0.0, squareX.at<double>(row, i) - mx * mx);
            const double vy = std::max(0.0, squareY.at<double>(row, i) - my * my);
            const double bound = std::sqrt(vx * vy);
            const double covariance =
                std::clamp(product.at<double>(row, i) - mx * my, -bound, bound);
            const double structure = (2.0 * covariance + c2) / (vx + vy + c2);
            ofRow.structure += structure;
            ofRow.similarity += (2.0 * mx * my + c1) / (mx * mx + my * my + c1) * structure;
        }
        terms.structure += ofRow.structure;
        terms.similarity += ofRow.similarity;
    }
    const auto count = static_cast<double>(meanX.total());
    return {terms.similarity / count, terms.structure / count};
}

cv::Mat halved(const cv::Mat& plane)
{
    const cv::Mat even = plane({0, 0, plane.cols / 2 * 2, plane.rows / 2 * 2});
    cv::Mat result;
    cv::resize(even, result, {even.cols / 2, even.rows / 2}, 0.0, 0.0, cv::INTER_AREA);
    return result;
}

double ofChannel(cv::Mat x, cv::Mat y, double range)
{
    double product = 1.0;
    for (std::size_t scale = 0; scale < kWeights.size(); ++scale) {
        const Terms terms = termsOf(x, y, range);
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

std::string msSsimName(double range)
{
    return "MS-SSIM[Wang03 gauss11 σ1.5 valid 2x2-mean 5 scales L=" + formatExact(range) +
           " mean-RGB]";
}

Result<double> msSsim(const Picture& a, const Picture& b, double range)
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
        for (int channel = 0; channel < a.channels; ++channel)
            sum += ofChannel(planeOf(a, channel), planeOf(b, channel), range);
        return sum / a.channels;
    } catch (const cv::Exception& failure) {
        return Error{ErrorCode::Internal, "OpenCV: " + failure.msg};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory to compare the pictures"};
    }
}

}  // namespace qs::core
