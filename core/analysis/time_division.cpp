#include "core/analysis/time_division.h"

#include <algorithm>
#include <numeric>

namespace qs::core {

namespace {

std::size_t placeOf(WorkKind kind)
{
    return static_cast<std::size_t>(kind);
}

}  // namespace

double TimeDivision::sum() const
{
    return std::accumulate(work.begin(), work.end(), 0.0);
}

double TimeDivision::share(WorkKind kind, double passSeconds) const
{
    return shareOf(work.at(placeOf(kind)), passSeconds);
}

double TimeDivision::share(const KernelTime& kernel, double passSeconds) const
{
    return shareOf(kernel.seconds, passSeconds);
}

double TimeDivision::shareOf(double seconds, double passSeconds) const
{
    const double whole = std::max(sum(), passSeconds);
    return whole > 0.0 ? seconds / whole : 0.0;
}

double TimeDivision::gapShare(double passSeconds) const
{
    return passSeconds > 0.0 ? std::max(0.0, 1.0 - sum() / passSeconds) : 0.0;
}

std::optional<TimeDivision> timeDivisionOf(const CellResult& result)
{
    if (!result.profile || result.profile->kernels.empty())
        return std::nullopt;
    const PassProfile& profile = *result.profile;
    TimeDivision division;
    for (const WorkKind kind : kWorkKinds.values())
        division.work.at(placeOf(kind)) = profile.seconds(kind);
    division.launches = profile.launches;
    division.fingerprint = profile.fingerprint;
    division.kernels = profile.kernels;
    division.kernels.insert(division.kernels.end(), profile.rest.begin(), profile.rest.end());
    for (const KernelTime& kernel : profile.kernels) {
        if (kernel.kind != WorkKind::Product || !isForOlderChip(kernel.name))
            continue;
        if (division.olderProduct.empty())
            division.olderProduct = kernel.name;
        division.olderSeconds += kernel.seconds;
    }
    return division;
}

}  // namespace qs::core
