#include "core/analysis/reference_figures.h"

#include "core/stats/quantiles.h"

#include <algorithm>
#include <vector>

namespace qs::core {

namespace {

constexpr const char* kReferencePrecision = "bf16";
constexpr const char* kTheirEager = "eager";
constexpr const char* kOwnEager = "none";

Sameness sameness(bool known, bool same)
{
    if (!known)
        return Sameness::Unknown;
    return same ? Sameness::Same : Sameness::Different;
}

Sameness sameDevice(const ReferenceResults& results, const RunData& data)
{
    const auto named = results.environment.find("device");
    if (named == results.environment.end() || data.environments.empty())
        return Sameness::Unknown;
    const auto has = [&](const Environment& environment) {
        return environment.processor == named->second ||
               std::any_of(
                   environment.devices.begin(), environment.devices.end(),
                   [&](const DeviceDescription& device) { return device.name == named->second; });
    };
    return sameness(true, std::any_of(data.environments.begin(), data.environments.end(), has));
}

}  // namespace

std::optional<ReferenceFigures> figuresOf(const ReferenceRow& row)
{
    std::vector<double> medians;
    ReferenceFigures figures;
    for (const std::vector<double>& round : row.rounds) {
        if (round.empty())
            continue;
        medians.push_back(median(round));
        figures.samples += round.size();
    }
    if (medians.empty())
        return std::nullopt;
    figures.seconds = median(medians);
    const auto [lowest, highest] = std::minmax_element(medians.begin(), medians.end());
    figures.lowest = *lowest;
    figures.highest = *highest;
    figures.throughput = static_cast<double>(row.unitsPerPass) / figures.seconds;
    figures.rounds = medians.size();
    return figures;
}

ReferenceMatch matchOf(const ReferenceResults& results, const RunData& data,
                       const Analysis& analysis)
{
    ReferenceMatch match;
    bool anyContent = false;
    bool sameContent = false;
    bool sameSizes = false;
    for (const CellSummary& summary : analysis.cells) {
        anyContent = anyContent || !summary.modelContent.empty();
        sameContent = sameContent || summary.modelContent == results.modelContent;
        sameSizes = sameSizes || summary.cell->config.sizes == results.sizes;
    }
    match.model = sameness(anyContent && !results.modelContent.empty(), sameContent);
    match.sizes = sameness(!analysis.cells.empty() && !results.sizes.empty(), sameSizes);
    match.device = sameDevice(results, data);
    return match;
}

const CellSummary* ownEager(const Analysis& analysis, const ReferenceResults& results,
                            std::int64_t batch)
{
    const auto found =
        std::find_if(analysis.cells.begin(), analysis.cells.end(), [&](const CellSummary& each) {
            const CellConfig& config = each.cell->config;
            return each.measured && each.cell->rerun == 0 && config.batch == batch &&
                   config.compile == kOwnEager && allStagesAre(config, kReferencePrecision) &&
                   (results.sizes.empty() || config.sizes == results.sizes);
        });
    return found == analysis.cells.end() ? nullptr : &*found;
}

const ReferenceRow* theirEager(const ReferenceResults& results, std::int64_t batch)
{
    const auto found =
        std::find_if(results.rows.begin(), results.rows.end(), [&](const ReferenceRow& row) {
            return row.precision == kReferencePrecision && row.mode == kTheirEager &&
                   row.batch == batch && row.status == ReferenceStatus::Ok;
        });
    return found == results.rows.end() ? nullptr : &*found;
}

}  // namespace qs::core
