#include "core/stats/outliers.h"

#include "core/stats/quantiles.h"

#include <algorithm>

namespace qs::core {

OutlierCounts countOutliers(std::span<const double> sortedValues)
{
    OutlierCounts counts;
    if (sortedValues.size() < 4)
        return counts;
    const Quartiles middle = quartiles(sortedValues);
    const double mildFence = 1.5 * middle.range();
    const double severeFence = 3.0 * middle.range();
    for (const double value : sortedValues) {
        const double outside = std::max(middle.lower - value, value - middle.upper);
        if (outside > severeFence)
            ++counts.severe;
        else if (outside > mildFence)
            ++counts.mild;
    }
    return counts;
}

}  // namespace qs::core
