#include "core/image/flip.h"

#include "core/base/stop.h"
#include "core/image/comparable.h"
#include "core/image/parallel_bands.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace qs::core {

namespace {

using cv::Vec3f;

// Constants of the paper, section 4: contrast sensitivity, colour and feature differences.
constexpr float kColorExponent = 0.7F;    // q_c
constexpr float kColorKnee = 0.4F;        // p_c
constexpr float kColorKneeValue = 0.95F;  // p_t
constexpr double kFeatureWidth = 0.082;   // w, degrees
constexpr float kFeatureExponent = 0.5F;  // q_f

// Linear sRGB to XYZ (D65), and the white that both Lab and YCxCz are relative to.
const cv::Matx33f kToXyz =
    cv::Matx33d(10135552.0 / 24577794.0, 8788810.0 / 24577794.0, 4435075.0 / 24577794.0,
                2613072.0 / 12288897.0, 8788810.0 / 12288897.0, 887015.0 / 12288897.0,
                1425312.0 / 73733382.0, 8788810.0 / 73733382.0, 70074185.0 / 73733382.0);
const cv::Matx33f kFromXyz = kToXyz.inv();
const Vec3f kWhite = kToXyz * Vec3f(1.0F, 1.0F, 1.0F);

float toLinear(float value)
{
    const float limited = std::clamp(value, 0.0F, 1.0F);
    return limited <= 0.04045F ? limited / 12.92F : std::pow((limited + 0.055F) / 1.055F, 2.4F);
}

// Opponent colours that are linear in light, so that blurring them is what the eye does.
Vec3f toOpponent(const Vec3f& linear)
{
    const Vec3f xyz = kToXyz * linear;
    const float x = xyz[0] / kWhite[0];
    const float y = xyz[1] / kWhite[1];
    const float z = xyz[2] / kWhite[2];
    return {116.0F * y - 16.0F, 500.0F * (x - y), 200.0F * (y - z)};
}

Vec3f toLinearRgb(const Vec3f& opponent)
{
    const float y = (opponent[0] + 16.0F) / 116.0F;
    const Vec3f xyz((opponent[1] / 500.0F + y) * kWhite[0], y * kWhite[1],
                    (y - opponent[2] / 200.0F) * kWhite[2]);
    const Vec3f rgb = kFromXyz * xyz;
    return {std::clamp(rgb[0], 0.0F, 1.0F), std::clamp(rgb[1], 0.0F, 1.0F),
            std::clamp(rgb[2], 0.0F, 1.0F)};
}

float labCurve(float t)
{
    constexpr float kDelta = 6.0F / 29.0F;
    return t > kDelta * kDelta * kDelta ? std::cbrt(t)
                                        : t / (3.0F * kDelta * kDelta) + 4.0F / 29.0F;
}

// CIELab with Hunt's effect: colours are less vivid where it is dark.
Vec3f toHuntLab(const Vec3f& linear)
{
    const Vec3f xyz = kToXyz * linear;
    const float fx = labCurve(xyz[0] / kWhite[0]);
    const float fy = labCurve(xyz[1] / kWhite[1]);
    const float fz = labCurve(xyz[2] / kWhite[2]);
    const float lightness = 116.0F * fy - 16.0F;
    const float hunt = 0.01F * lightness;
    return {lightness, hunt * 500.0F * (fx - fy), hunt * 200.0F * (fy - fz)};
}

float hyab(const Vec3f& a, const Vec3f& b)
{
    return std::abs(a[0] - b[0]) + std::hypot(a[1] - b[1], a[2] - b[2]);
}

// The largest colour difference that there is on a screen, green to blue.
float largestColorDifference()
{
    return std::pow(hyab(toHuntLab({0.0F, 1.0F, 0.0F}), toHuntLab({0.0F, 0.0F, 1.0F})),
                    kColorExponent);
}

// 0 … 1: large differences are pressed together, for beyond some size they all look large.
float colorDifference(const Vec3f& a, const Vec3f& b, float largest)
{
    const float difference = std::pow(hyab(toHuntLab(a), toHuntLab(b)), kColorExponent);
    const float knee = kColorKnee * largest;
    if (difference < knee)
        return kColorKneeValue / knee * difference;
    return kColorKneeValue + (difference - knee) / (largest - knee) * (1.0F - kColorKneeValue);
}

// A sum of two Gaussians; the kernel is their weighted sum, each the product of its rows and
// columns.
struct Blur {
    std::array<cv::Mat, 2> gaussians;  // one dimension, not normalised
    std::array<double, 2> weights{};   // of the products, after normalisation of their sum
};

struct Filters {
    int radius = 0;             // of the widest
    std::array<Blur, 3> blurs;  // of the three opponent channels
    cv::Mat smooth;             // Gaussian of the detectors, sum 1
    cv::Mat edge;               // first derivative; positive and negative parts sum to 1
    cv::Mat point;              // second derivative, likewise
};

cv::Mat gaussian(int radius, double scale, double pixelsPerDegree)
{
    cv::Mat values(2 * radius + 1, 1, CV_64F);
    for (int i = -radius; i <= radius; ++i) {
        const double degrees = i / pixelsPerDegree;
        values.at<double>(i + radius) =
            std::exp(-std::numbers::pi * std::numbers::pi * degrees * degrees / scale);
    }
    return values;
}

// Amplitudes and scales of table 1 of the paper.
Blur blurOf(std::array<double, 2> amplitudes, std::array<double, 2> scales, int radius,
            double pixelsPerDegree)
{
    Blur blur;
    double total = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        blur.gaussians[i] = gaussian(radius, scales[i], pixelsPerDegree);
        blur.weights[i] = amplitudes[i] * std::sqrt(std::numbers::pi / scales[i]);
        total += blur.weights[i] * std::pow(cv::sum(blur.gaussians[i])[0], 2);
    }
    for (double& weight : blur.weights)
        weight /= total;
    return blur;
}

// The negative part sums to -1 and the positive to 1, so that a step has an answer of its height.
cv::Mat balanced(const cv::Mat& kernel)
{
    double positive = 0.0;
    double negative = 0.0;
    for (int i = 0; i < kernel.rows; ++i)
        (kernel.at<double>(i) > 0.0 ? positive : negative) += kernel.at<double>(i);
    cv::Mat result = kernel.clone();
    for (int i = 0; i < kernel.rows; ++i)
        result.at<double>(i) /= kernel.at<double>(i) > 0.0 ? positive : -negative;
    return result;
}

Filters filtersFor(double pixelsPerDegree)
{
    constexpr double kWidestScale = 0.04;
    const double pi2 = std::numbers::pi * std::numbers::pi;
    const int blurRadius =
        static_cast<int>(std::ceil(3.0 * std::sqrt(kWidestScale / (2.0 * pi2)) * pixelsPerDegree));
    Filters filters;
    filters.blurs = {blurOf({1.0, 0.0}, {0.0047, 1e-5}, blurRadius, pixelsPerDegree),
                     blurOf({1.0, 0.0}, {0.0053, 1e-5}, blurRadius, pixelsPerDegree),
                     blurOf({34.1, 13.5}, {0.04, 0.025}, blurRadius, pixelsPerDegree)};
    const double sigma = 0.5 * kFeatureWidth * pixelsPerDegree;
    const int radius = static_cast<int>(std::ceil(3.0 * sigma));
    filters.smooth = cv::Mat(2 * radius + 1, 1, CV_64F);
    filters.edge = filters.smooth.clone();
    filters.point = filters.smooth.clone();
    for (int i = -radius; i <= radius; ++i) {
        const double weight = std::exp(-i * i / (2.0 * sigma * sigma));
        filters.smooth.at<double>(i + radius) = weight;
        filters.edge.at<double>(i + radius) = -i * weight;
        filters.point.at<double>(i + radius) = (i * i / (sigma * sigma) - 1.0) * weight;
    }
    filters.smooth /= cv::sum(filters.smooth)[0];
    filters.edge = balanced(filters.edge);
    filters.point = balanced(filters.point);
    filters.radius = std::max(blurRadius, radius);
    return filters;
}

// Opponent colours of the rows first - radius … last + radius, the picture's edges repeated.
std::array<cv::Mat, 3> opponentRows(const Picture& picture, int first, int last, int radius)
{
    std::array<cv::Mat, 3> planes;
    for (cv::Mat& plane : planes)
        plane.create(last - first + 2 * radius, picture.width + 2 * radius, CV_32F);
    for (int y = 0; y < planes[0].rows; ++y) {
        const int from = std::clamp(first - radius + y, 0, picture.height - 1);
        for (int x = 0; x < planes[0].cols; ++x) {
            const int column = std::clamp(x - radius, 0, picture.width - 1);
            const auto linear = [&](int channel) {
                return toLinear(picture.at(column, from, picture.channels == 1 ? 0 : channel));
            };
            const Vec3f opponent = toOpponent({linear(0), linear(1), linear(2)});
            for (int channel = 0; channel < 3; ++channel)
                planes[static_cast<std::size_t>(channel)].at<float>(y, x) = opponent[channel];
        }
    }
    return planes;
}

cv::Mat filtered(const cv::Mat& plane, const cv::Mat& rowKernel, const cv::Mat& columnKernel)
{
    cv::Mat result;
    cv::sepFilter2D(plane, result, CV_32F, rowKernel, columnKernel, {-1, -1}, 0.0,
                    cv::BORDER_REPLICATE);
    return result;
}

cv::Mat blurred(const cv::Mat& plane, const Blur& blur)
{
    cv::Mat result = cv::Mat::zeros(plane.size(), CV_32F);
    for (std::size_t i = 0; i < 2; ++i) {
        if (blur.weights[i] != 0.0)
            result += blur.weights[i] * filtered(plane, blur.gaussians[i], blur.gaussians[i]);
    }
    return result;
}

// Strength of edges, or of points, whatever their direction. `lightness` is 0 … 1.
cv::Mat featureStrength(const cv::Mat& lightness, const cv::Mat& detector, const cv::Mat& smooth)
{
    cv::Mat strength;
    cv::magnitude(filtered(lightness, detector, smooth), filtered(lightness, smooth, detector),
                  strength);
    return strength;
}

// What one picture looks like in a band of rows, still with the padding.
struct Appearance {
    std::array<cv::Mat, 3> opponent;  // blurred
    cv::Mat edges;
    cv::Mat points;

    [[nodiscard]] Vec3f color(int y, int x) const
    {
        return toLinearRgb({opponent[0].at<float>(y, x), opponent[1].at<float>(y, x),
                            opponent[2].at<float>(y, x)});
    }
};

Appearance appearanceOf(const Picture& picture, int first, int last, const Filters& filters)
{
    std::array<cv::Mat, 3> planes = opponentRows(picture, first, last, filters.radius);
    Appearance appearance;
    const cv::Mat lightness = (planes[0] + 16.0F) / 116.0F;
    appearance.edges = featureStrength(lightness, filters.edge, filters.smooth);
    appearance.points = featureStrength(lightness, filters.point, filters.smooth);
    for (std::size_t channel = 0; channel < 3; ++channel)
        appearance.opponent[channel] = blurred(planes[channel], filters.blurs[channel]);
    return appearance;
}

float flipAt(const Appearance& a, const Appearance& b, int y, int x, float largest)
{
    const float color = colorDifference(a.color(y, x), b.color(y, x), largest);
    const float edge = std::abs(a.edges.at<float>(y, x) - b.edges.at<float>(y, x));
    const float point = std::abs(a.points.at<float>(y, x) - b.points.at<float>(y, x));
    const float feature =
        std::pow(std::max(edge, point) / std::numbers::sqrt2_v<float>, kFeatureExponent);
    return std::pow(color, 1.0F - feature);
}

}  // namespace

Result<FlipResult> flip(const Picture& picture, const Picture& reference, double pixelsPerDegree,
                        const std::stop_token& stop)
{
    QS_RETURN_IF_ERROR(checkComparable(picture, reference));
    if (!(pixelsPerDegree >= 1.0 && pixelsPerDegree <= 1000.0))
        return Error{ErrorCode::InvalidArgument,
                     "FLIP needs a viewing distance of 1 to 1000 pixels per degree"};
    try {
        const Filters filters = filtersFor(pixelsPerDegree);
        const float largest = largestColorDifference();
        FlipResult result;
        result.map = {picture.width, picture.height, 0, 0, {}};
        const auto columns = static_cast<std::size_t>(picture.width);
        result.map.values.resize(columns * static_cast<std::size_t>(picture.height));
        std::vector<double> rowSums(static_cast<std::size_t>(picture.height));
        const auto judgeBand = [&](int first, int last) {
            const Appearance a = appearanceOf(picture, first, last, filters);
            const Appearance b = appearanceOf(reference, first, last, filters);
            for (int row = first; row < last; ++row) {
                float* values = result.map.values.data() + static_cast<std::size_t>(row) * columns;
                for (int x = 0; x < picture.width; ++x) {
                    values[x] =
                        flipAt(a, b, row - first + filters.radius, x + filters.radius, largest);
                    rowSums[static_cast<std::size_t>(row)] += static_cast<double>(values[x]);
                }
            }
        };
        forEachBand(picture.height, judgeBand, stop);
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        for (const double sum : rowSums)
            result.mean += sum / static_cast<double>(result.map.values.size());
        return result;
    } catch (const cv::Exception& failure) {
        return Error{ErrorCode::Internal, "OpenCV: " + failure.msg};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::OutOfMemory, "not enough memory to compare the images"};
    }
}

}  // namespace qs::core
