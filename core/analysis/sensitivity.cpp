#include "core/analysis/sensitivity.h"

#include "core/analysis/round_pairs.h"
#include "core/analysis/speed_baseline.h"
#include "core/base/text_parts.h"
#include "core/quant/layer_pattern.h"
#include "core/stats/moments.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

namespace qs::core {

namespace {

constexpr std::string_view kOnly = "only:";

// The patterns of a filter that is of these alone.
std::optional<std::string> patternsOf(const std::string& filter)
{
    if (!filter.starts_with(kOnly) || filter.find_first_of(" /") != std::string::npos)
        return std::nullopt;
    return filter.substr(kOnly.size());
}

std::string keyWithoutLayers(CellConfig config)
{
    config.layers.clear();
    return cellKey(config);
}

// Cells that can show a gain of time, by what they are beside their layers.
class UnquantizedCells final
{
public:
    explicit UnquantizedCells(const Analysis& analysis) : m_analysis(analysis)
    {
        for (const CellSummary& summary : analysis.cells) {
            if (summary.measured && summary.cell->rerun == 0)
                m_cells.emplace(keyWithoutLayers(summary.cell->config), &summary);
        }
    }

    // The cell as it is without quantizing, in its own compile mode: against another one the gain
    // would be that of compiling. Null if there is none.
    [[nodiscard]] const CellSummary* find(const CellSummary& cell) const
    {
        const CellSummary* reference = m_analysis.find(cell.cell->referenceId);
        if (reference == nullptr)
            return nullptr;
        CellConfig config = cell.cell->config;
        config.precision = reference->cell->config.precision;
        const auto found = m_cells.find(keyWithoutLayers(std::move(config)));
        return found == m_cells.end() ? nullptr : found->second;
    }

private:
    const Analysis& m_analysis;
    std::map<std::string, const CellSummary*> m_cells;
};

std::optional<TimeGain> gainOf(const CellSummary& cell, const UnquantizedCells& unquantized)
{
    const CellSummary* other = cell.measured ? unquantized.find(cell) : nullptr;
    if (other == nullptr || other->environmentId != cell.environmentId)
        return std::nullopt;
    const SharedSeconds shared = sharedSeconds(*other, cell);
    Moments saved;
    for (std::size_t i = 0; i < shared.first.size(); ++i)
        saved.add(shared.first[i] - shared.second[i]);
    if (saved.count() == 0)
        return std::nullopt;
    TimeGain gain{saved.mean()};
    if (saved.count() >= kRoundsForInterval)
        gain.interval = meanInterval(saved, static_cast<double>(saved.count()));
    return gain;
}

std::optional<PartSensitivity> partOf(const Analysis& analysis, const CellSummary& summary,
                                      const UnquantizedCells& unquantized)
{
    const auto patterns = patternsOf(summary.cell->config.layers);
    const CellSummary* reference = analysis.find(summary.cell->referenceId);
    if (!patterns || !summary.quality || reference == nullptr)
        return std::nullopt;
    return PartSensitivity{.patterns = *patterns,
                           .cellId = summary.cellId,
                           .distance = summary.quality->distance,
                           .bytesSaved = reference->cell->weightBytes - summary.cell->weightBytes,
                           .gain = gainOf(summary, unquantized)};
}

bool hasDecidedGain(const PartSensitivity& part)
{
    return part.gain && part.gain->isDecided();
}

void rank(Sensitivity& sensitivity, const std::optional<TimeGain>& wholeGain)
{
    auto& parts = sensitivity.parts;
    if (wholeGain && wholeGain->isDecided() &&
        std::any_of(parts.begin(), parts.end(), hasDecidedGain))
        sensitivity.order = PartOrder::LossPerTime;
    const auto lossOf = [&](const PartSensitivity& part) {
        const double inTime =
            sensitivity.order == PartOrder::LossPerTime ? part.lossPerSecond() : 0.0;
        return std::tuple(inTime, part.lossPerByte());
    };
    std::stable_sort(
        parts.begin(), parts.end(),
        [&](const PartSensitivity& a, const PartSensitivity& b) { return lossOf(a) > lossOf(b); });
}

}  // namespace

double PartSensitivity::lossPerByte() const
{
    return bytesSaved > 0 ? distance / static_cast<double>(bytesSaved)
                          : std::numeric_limits<double>::infinity();
}

double PartSensitivity::lossPerSecond() const
{
    return hasDecidedGain(*this) ? distance / gain->seconds
                                 : std::numeric_limits<double>::infinity();
}

std::vector<Sensitivity> sensitivitiesOf(const Analysis& analysis)
{
    std::vector<Sensitivity> found;
    if (std::none_of(analysis.cells.begin(), analysis.cells.end(), [](const CellSummary& summary) {
            return patternsOf(summary.cell->config.layers).has_value();
        }))
        return found;  // most runs, and there are runs of many cells
    const UnquantizedCells unquantized(analysis);
    std::map<std::string, std::vector<PartSensitivity>> parts;
    for (const CellSummary& summary : analysis.cells) {
        if (auto part = partOf(analysis, summary, unquantized))
            parts[keyWithoutLayers(summary.cell->config)].push_back(std::move(*part));
    }
    for (const CellSummary& summary : analysis.cells) {
        const CellConfig& config = summary.cell->config;
        const auto own = parts.find(keyWithoutLayers(config));
        if (own == parts.end() || own->second.size() < 2 || patternsOf(config.layers) ||
            config.layers.find(" -only:") != std::string::npos ||
            summary.cell->role != CellRole::Swept)
            continue;
        Sensitivity& sensitivity = found.emplace_back();
        sensitivity.wholeId = summary.cellId;
        sensitivity.wholeFilter = config.layers;
        sensitivity.parts = own->second;
        rank(sensitivity, gainOf(summary, unquantized));
    }
    return found;
}

std::string filterWithoutWorst(const Sensitivity& sensitivity, std::size_t kept)
{
    std::vector<std::string> patterns;
    for (std::size_t i = 0; i < std::min(kept, sensitivity.parts.size()); ++i)
        patterns.push_back(sensitivity.parts[i].patterns);
    if (patterns.empty())
        return sensitivity.wholeFilter;
    std::sort(patterns.begin(), patterns.end());
    const std::string excluded = " -only:" + layerPatternsText(patterns);
    std::string filter;
    for (const std::string& stage : splitAt(sensitivity.wholeFilter, '/'))
        filter += (filter.empty() ? "" : "/") + stage + excluded;
    return filter;
}

}  // namespace qs::core
