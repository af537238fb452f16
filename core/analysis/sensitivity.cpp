#include "core/analysis/sensitivity.h"

#include "core/base/text_parts.h"
#include "core/quant/layer_pattern.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

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

std::optional<PartSensitivity> partOf(const Analysis& analysis, const CellSummary& summary)
{
    const auto patterns = patternsOf(summary.cell->config.layers);
    const CellSummary* reference = analysis.find(summary.cell->referenceId);
    if (!patterns || !summary.quality || reference == nullptr)
        return std::nullopt;
    PartSensitivity part{.patterns = *patterns,
                         .cellId = summary.cellId,
                         .distance = summary.quality->distance,
                         .bytesSaved = reference->cell->weightBytes - summary.cell->weightBytes};
    if (summary.measured && reference->measured)
        part.secondsSaved = reference->seconds - summary.seconds;
    return part;
}

}  // namespace

double PartSensitivity::lossPerByte() const
{
    return bytesSaved > 0 ? distance / static_cast<double>(bytesSaved)
                          : std::numeric_limits<double>::infinity();
}

std::vector<Sensitivity> sensitivitiesOf(const Analysis& analysis)
{
    std::map<std::string, std::vector<PartSensitivity>> parts;
    for (const CellSummary& summary : analysis.cells) {
        if (auto part = partOf(analysis, summary))
            parts[keyWithoutLayers(summary.cell->config)].push_back(std::move(*part));
    }
    std::vector<Sensitivity> found;
    if (parts.empty())
        return found;  // most runs, and there are runs of many cells
    for (const CellSummary& summary : analysis.cells) {
        const CellConfig& config = summary.cell->config;
        const auto own = parts.find(keyWithoutLayers(config));
        if (own == parts.end() || own->second.size() < 2 || patternsOf(config.layers) ||
            config.layers.find(" -only:") != std::string::npos ||
            summary.cell->role != CellRole::Swept)
            continue;
        Sensitivity sensitivity{summary.cellId, config.layers, own->second};
        std::stable_sort(sensitivity.parts.begin(), sensitivity.parts.end(),
                         [](const PartSensitivity& a, const PartSensitivity& b) {
                             return a.lossPerByte() > b.lossPerByte();
                         });
        found.push_back(std::move(sensitivity));
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

std::optional<std::size_t> GreedySearch::next() const
{
    if (m_meets <= m_fails + 1)
        return std::nullopt;
    return m_fails + (m_meets - m_fails) / 2;
}

void GreedySearch::told(std::size_t kept, bool meetsLimit)
{
    if (meetsLimit)
        m_meets = std::min(m_meets, kept);
    else
        m_fails = std::max(m_fails, kept);
}

}  // namespace qs::core
