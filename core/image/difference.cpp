#include "core/image/difference.h"

#include "core/image/comparable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace qs::core {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Values per partial sum: adding blocks keeps the rounding error far below what any figure shows.
constexpr std::size_t kBlock = 4096;

struct Sums {
    double squaredError = 0.0;
    double absoluteError = 0.0;
    double largestError = 0.0;
    double squaredValues = 0.0;
    double squaredReference = 0.0;
    double product = 0.0;
};

Sums sumsOf(std::span<const float> values, std::span<const float> reference)
{
    Sums sums;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        const auto wanted = static_cast<double>(reference[i]);
        const double error = std::abs(value - wanted);
        sums.squaredError += error * error;
        sums.absoluteError += error;
        sums.largestError = std::max(sums.largestError, error);
        sums.squaredValues += value * value;
        sums.squaredReference += wanted * wanted;
        sums.product += value * wanted;
    }
    return sums;
}

Sums operator+(const Sums& a, const Sums& b)
{
    return {a.squaredError + b.squaredError,          a.absoluteError + b.absoluteError,
            std::max(a.largestError, b.largestError), a.squaredValues + b.squaredValues,
            a.squaredReference + b.squaredReference,  a.product + b.product};
}

double cosineOf(const Sums& sums, bool identical)
{
    if (identical)
        return 1.0;
    const double norms = std::sqrt(sums.squaredValues) * std::sqrt(sums.squaredReference);
    return norms > 0.0 ? std::clamp(sums.product / norms, -1.0, 1.0) : 0.0;
}

} // namespace

Result<Difference> difference(std::span<const float> values, std::span<const float> reference,
                              double range)
{
    QS_RETURN_IF_ERROR(checkRange(range));
    if (values.size() != reference.size() || values.empty())
        return Error{ErrorCode::InvalidArgument, "cannot compare " + std::to_string(values.size()) +
                                                     " values with " +
                                                     std::to_string(reference.size())};
    QS_RETURN_IF_ERROR(checkFinite(values, "the result"));
    QS_RETURN_IF_ERROR(checkFinite(reference, "the reference"));
    Sums sums;
    for (std::size_t start = 0; start < values.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, values.size() - start);
        sums = sums + sumsOf(values.subspan(start, count), reference.subspan(start, count));
    }
    const auto count = static_cast<double>(values.size());
    Difference result;
    result.identical = sums.largestError == 0.0;
    result.meanSquaredError = sums.squaredError / count;
    result.psnrDb = result.identical
                        ? kInfinity
                        : 20.0 * std::log10(range) - 10.0 * std::log10(result.meanSquaredError);
    result.maxAbsolute = sums.largestError;
    result.meanAbsolute = sums.absoluteError / count;
    result.cosineSimilarity = cosineOf(sums, result.identical);
    if (!result.identical)
        result.relativeL2 = sums.squaredReference > 0.0
                                ? std::sqrt(sums.squaredError) / std::sqrt(sums.squaredReference)
                                : kInfinity;
    return result;
}

Result<Difference> difference(const Picture& picture, const Picture& reference, double range)
{
    QS_RETURN_IF_ERROR(checkComparable(picture, reference));
    return difference(std::span(picture.values), std::span(reference.values), range);
}

Result<PixelMap> signedDifferenceMap(const Picture& picture, const Picture& reference)
{
    QS_RETURN_IF_ERROR(checkComparable(picture, reference));
    const auto channels = static_cast<std::size_t>(picture.channels);
    PixelMap map{picture.width, picture.height, 0, 0,
                 std::vector<float>(picture.values.size() / channels)};
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        map.values[i / channels] +=
            (picture.values[i] - reference.values[i]) / static_cast<float>(channels);
    return map;
}

} // namespace qs::core
