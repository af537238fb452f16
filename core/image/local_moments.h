#pragma once

#include <opencv2/core.hpp>

#include <functional>
#include <vector>

namespace qs::core {

// Means, variances and covariance of two planes in the window around each position: what SSIM and
// its kin are made of. One row of positions; all vectors have one entry per position.
struct LocalMoments {
    std::vector<double> meanX;
    std::vector<double> meanY;
    std::vector<double> variances;   // of x and of y added, >= 0
    std::vector<double> covariance;  // at most half of `variances` in size
};

// A window is the outer product of its weights with themselves.
struct MomentWindow {
    std::vector<double> weights;  // symmetric, sum 1, 7 or 11 of them
    double sampleFactor = 1.0;    // N / (N - 1) turns a population variance into a sample variance

    [[nodiscard]] int radius() const { return static_cast<int>(weights.size() / 2); }
};

// 11 weights of a Gaussian of sigma 1.5, the window of Wang, Bovik, Sheikh and Simoncelli (2004).
[[nodiscard]] MomentWindow gaussianWindow();
// 7 equal weights and sample variances, as scikit-image has it.
[[nodiscard]] MomentWindow uniformWindow();

// Calls use(y, moments) for all rows of positions whose window lies inside the planes: y runs from
// 0 to rows - 2 · radius, and position 0 has its centre in row `radius`. The planes hold doubles
// and have equal sizes. `moments` is overwritten for the next row. Calls may run at the same time.
void forEachMomentRow(const cv::Mat& planeX, const cv::Mat& planeY, const MomentWindow& window,
                      const std::function<void(int y, const LocalMoments& moments)>& use);

}  // namespace qs::core
