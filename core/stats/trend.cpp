#include "core/stats/trend.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <vector>

namespace qs::core {

namespace {

// Medians of blocks of `block` values; a shorter last block is left out, its time would not match.
std::vector<double> blockMedians(std::span<const double> values, std::size_t block)
{
    std::vector<double> medians;
    for (std::size_t first = 0; first + block <= values.size(); first += block)
        medians.push_back(median(values.subspan(first, block)));
    return medians;
}

}  // namespace

double theilSenSlope(std::span<const double> values)
{
    if (values.size() < 2)
        return 0.0;
    const std::size_t block = (values.size() + kTrendPoints - 1) / kTrendPoints;
    const std::vector<double> points = blockMedians(values, block);
    std::vector<double> slopes;
    slopes.reserve(points.size() * (points.size() - 1) / 2);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = i + 1; j < points.size(); ++j)
            slopes.push_back((points[j] - points[i]) / static_cast<double>((j - i) * block));
    }
    return median(slopes);
}

double relativeTrend(std::span<const double> values)
{
    if (values.size() < 2)
        return 0.0;
    const double middle = median(values);
    if (middle == 0.0)
        return 0.0;
    return theilSenSlope(values) * static_cast<double>(values.size()) / middle;
}

}  // namespace qs::core
