#include "core/image/local_moments.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstddef>

namespace qs::core {

namespace {

// Weighted sums of 2 · Radius + 1 values that lie `step` apart, around each of `count` values from
// `in` on. The inner loop has a constant length and is unrolled, so that the outer becomes vector
// instructions.
template <int Radius>
void addUp(const double* in, std::ptrdiff_t step, const double* weights, double* __restrict out,
           std::ptrdiff_t count)
{
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        double sum = weights[Radius] * in[i];
        for (int tap = 1; tap <= Radius; ++tap)
            sum += weights[Radius + tap] * (in[i - tap * step] + in[i + tap * step]);
        out[i] = sum;
    }
}

// Means of the windows with their centres in one row of the plane.
template <int Radius>
void windowMeans(const cv::Mat& plane, int row, const double* weights, std::vector<double>& columns,
                 std::vector<double>& means)
{
    addUp<Radius>(plane.ptr<double>(row), static_cast<std::ptrdiff_t>(plane.step1()), weights,
                  columns.data(), std::ssize(columns));
    addUp<Radius>(columns.data() + Radius, 1, weights, means.data(), std::ssize(means));
}

// From E[x² + y²] and E[xy] to variances and covariance, in place. Rounding can make a variance
// slightly negative or the covariance larger than the variances allow, which would break
// |SSIM| <= 1. For x = y the sums are exact doubles of each other, and so SSIM(x, x) stays 1.
void subtractMeans(LocalMoments& moments, double factor)
{
    const std::size_t count = moments.meanX.size();
    const double* x = moments.meanX.data();
    const double* y = moments.meanY.data();
    double* __restrict variances = moments.variances.data();
    double* __restrict covariance = moments.covariance.data();
    for (std::size_t i = 0; i < count; ++i) {
        const double both = factor * (variances[i] - (x[i] * x[i] + y[i] * y[i]));
        variances[i] = both > 0.0 ? both : 0.0;
        const double bound = 0.5 * variances[i];
        const double product = factor * (covariance[i] - x[i] * y[i]);
        const double limited = product < bound ? product : bound;
        covariance[i] = limited > -bound ? limited : -bound;
    }
}

template <int Radius>
void momentRows(const cv::Mat& planeX, const cv::Mat& planeY, const MomentWindow& window,
                const std::function<void(int, const LocalMoments&)>& use)
{
    const cv::Mat squares = planeX.mul(planeX) + planeY.mul(planeY);
    const cv::Mat product = planeX.mul(planeY);
    const std::vector<double> row(static_cast<std::size_t>(planeX.cols - 2 * Radius));
    LocalMoments moments{row, row, row, row};
    std::vector<double> columns(static_cast<std::size_t>(planeX.cols));
    const double* weights = window.weights.data();
    for (int y = 0; y + 2 * Radius < planeX.rows; ++y) {
        const int centre = y + Radius;
        windowMeans<Radius>(planeX, centre, weights, columns, moments.meanX);
        windowMeans<Radius>(planeY, centre, weights, columns, moments.meanY);
        windowMeans<Radius>(squares, centre, weights, columns, moments.variances);
        windowMeans<Radius>(product, centre, weights, columns, moments.covariance);
        subtractMeans(moments, window.sampleFactor);
        use(y, moments);
    }
}

}  // namespace

MomentWindow gaussianWindow()
{
    constexpr double kSigma = 1.5;
    const cv::Mat kernel = cv::getGaussianKernel(11, kSigma, CV_64F);
    return {std::vector<double>(kernel.begin<double>(), kernel.end<double>())};
}

MomentWindow uniformWindow()
{
    return {std::vector<double>(7, 1.0 / 7.0), 49.0 / 48.0};
}

void forEachMomentRow(const cv::Mat& planeX, const cv::Mat& planeY, const MomentWindow& window,
                      const std::function<void(int y, const LocalMoments& moments)>& use)
{
    if (window.radius() == 3)
        momentRows<3>(planeX, planeY, window, use);
    else
        momentRows<5>(planeX, planeY, window, use);
}

}  // namespace qs::core
