#include "core/stats/histogram.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

std::size_t binCount(const std::vector<double>& ascending)
{
    const double range = ascending.back() - ascending.front();
    if (range <= 0.0)
        return 1;
    const double width =
        2.0 * quartiles(ascending).range() / std::cbrt(static_cast<double>(ascending.size()));
    // Most values equal and a few elsewhere: as many bins as there may be.
    const double wanted = width > 0.0 ? std::ceil(range / width) : static_cast<double>(kMostBins);
    return static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(kMostBins)));
}

}  // namespace

std::vector<HistogramBin> histogram(std::span<const double> values)
{
    if (values.empty())
        return {};
    const std::vector<double> ascending = sorted(values);
    const double first = ascending.front();
    const double last = ascending.back();
    std::vector<HistogramBin> bins(binCount(ascending));
    const double width = (last - first) / static_cast<double>(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
        bins[i].lower = first + width * static_cast<double>(i);
        bins[i].upper = i + 1 == bins.size() ? last : bins[i].lower + width;
    }
    for (const double value : ascending) {
        const double place = width > 0.0 ? std::floor((value - first) / width) : 0.0;
        ++bins[std::min(static_cast<std::size_t>(place), bins.size() - 1)].count;
    }
    return bins;
}

}  // namespace qs::core
