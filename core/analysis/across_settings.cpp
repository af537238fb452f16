#include "core/analysis/across_settings.h"

#include "core/analysis/cell_summary.h"
#include "core/analysis/speed_ratio.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"

#include <map>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kSettings[] = {"inputs", "env"};

bool isHeld(const CellSummary& summary)
{
    return summary.measured && summary.doubts.empty() && summary.seconds > 0.0 &&
           summary.cell->rerun == 0;
}

// All of a cell but the setting, with where it was measured.
std::string settingFrameOf(const CellSummary& summary, const AxisSpec& axis)
{
    CellConfig config = summary.cell->config;
    axis.set(config, *axis.usual);
    return cellKey(config) + summary.environmentId;
}

void addRatios(const Analysis& analysis, const AxisSpec& axis, std::vector<SettingRatio>& ratios)
{
    std::map<std::string, const CellSummary*> first;
    for (const CellSummary& summary : analysis.cells) {
        if (!isHeld(summary))
            continue;
        const auto [place, isNew] = first.try_emplace(settingFrameOf(summary, axis), &summary);
        if (!isNew && axis.text(summary.cell->config) == *axis.usual)
            place->second = &summary;
    }
    for (const CellSummary& summary : analysis.cells) {
        const CellSummary* other =
            isHeld(summary) ? first.at(settingFrameOf(summary, axis)) : nullptr;
        if (other == nullptr || other == &summary ||
            axis.text(other->cell->config) == axis.text(summary.cell->config))
            continue;
        const Estimate ratio = speedRatio(*other, summary);
        if (ratio.count > 0)
            ratios.push_back({.axis = axis.name,
                              .usual = axis.text(other->cell->config),
                              .value = axis.text(summary.cell->config),
                              .usualId = other->cellId,
                              .cellId = summary.cellId,
                              .ratio = ratio});
    }
}

}  // namespace

std::vector<SettingRatio> settingRatios(const Analysis& analysis)
{
    std::vector<SettingRatio> ratios;
    for (const char* setting : kSettings)
        addRatios(analysis, *findAxisSpec(setting), ratios);
    return ratios;
}

}  // namespace qs::core
