#include "core/stats/autocorrelation.h"

#include "core/stats/moments.h"

#include <algorithm>

namespace qs::core {

double lag1Autocorrelation(std::span<const double> values)
{
    if (values.size() < 3)
        return 0.0;
    const double mean = momentsOf(values).mean();
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = values[i] - mean;
        squares += distance * distance;
        if (i + 1 < values.size())
            products += distance * (values[i + 1] - mean);
    }
    return squares > 0.0 ? products / squares : 0.0;
}

double effectiveCount(std::size_t count, double autocorrelation)
{
    const auto samples = static_cast<double>(count);
    if (count == 0 || autocorrelation <= kNotableAutocorrelation)
        return samples;
    return std::max(1.0, samples * (1.0 - autocorrelation) / (1.0 + autocorrelation));
}

}  // namespace qs::core
