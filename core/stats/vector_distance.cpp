#include "core/stats/vector_distance.h"

#include "core/stats/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::core {

namespace {

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

// Of lists that can be compared.
VectorDistance distanceOf(std::span<const float> values, std::span<const float> reference)
{
    Sums sums;
    for (std::size_t start = 0; start < values.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, values.size() - start);
        sums = sums + sumsOf(values.subspan(start, count), reference.subspan(start, count));
    }
    const auto count = static_cast<double>(values.size());
    VectorDistance result;
    result.identical = sums.largestError == 0.0;
    result.meanSquaredError = sums.squaredError / count;
    result.maxAbsolute = sums.largestError;
    result.meanAbsolute = sums.absoluteError / count;
    result.cosineSimilarity = cosineOf(sums, result.identical);
    if (!result.identical)
        result.relativeL2 = sums.squaredReference > 0.0
                                ? std::sqrt(sums.squaredError) / std::sqrt(sums.squaredReference)
                                : std::numeric_limits<double>::infinity();
    return result;
}

}  // namespace

Result<VectorDistance> vectorDistance(std::span<const float> values,
                                      std::span<const float> reference)
{
    QS_RETURN_IF_ERROR(checkRows(values, reference, std::max<std::size_t>(1, values.size())));
    return distanceOf(values, reference);
}

Result<EmbeddingAgreement> embeddingAgreement(std::span<const float> values,
                                              std::span<const float> reference, std::size_t width)
{
    QS_RETURN_IF_ERROR(checkRows(values, reference, width));
    EmbeddingAgreement result;
    result.vectors = values.size() / width;
    double cosines = 0.0;
    double relative = 0.0;
    for (std::size_t row = 0; row < result.vectors; ++row) {
        const VectorDistance each =
            distanceOf(values.subspan(row * width, width), reference.subspan(row * width, width));
        cosines += each.cosineSimilarity;
        relative += each.relativeL2;
        if (row == 0 || each.cosineSimilarity < result.worstCosine) {
            result.worstCosine = each.cosineSimilarity;
            result.worstVector = row;
        }
        result.worstRelativeL2 = std::max(result.worstRelativeL2, each.relativeL2);
    }
    result.meanCosine = cosines / static_cast<double>(result.vectors);
    result.meanRelativeL2 = relative / static_cast<double>(result.vectors);
    return result;
}

}  // namespace qs::core
