#include "core/analysis/cell_label.h"

#include "core/model/family_registry.h"

namespace qs::core {

namespace {

constexpr const char* kDot = " · ";

// People call what is not compiled eager; "none" is its name in presets.
std::string compileText(const std::string& compile)
{
    return compile == "none" ? "eager" : compile;
}

}  // namespace

void CellLabels::add(const CellConfig& config)
{
    m_sizes.insert(sizesText(config.sizes));
    m_models.insert(config.model);
    m_devices.insert(config.device);
    m_layers.insert(config.layers);
    m_attentions.insert(config.attention);
    m_inputs.insert(config.inputs);
    m_seeds.insert(config.seed);
}

std::string CellLabels::of(const PlannedCell& cell) const
{
    const CellConfig& config = cell.config;
    std::string text = precisionText(config) + kDot + compileText(config.compile);
    const auto append = [&](bool differs, const std::string& word) {
        if (differs)
            text += kDot + word;
    };
    append(cell.rerun > 0, cell.rerun > 1 ? "again " + std::to_string(cell.rerun) : "again");
    append(m_sizes.size() > 1, sizesText(config.sizes));
    append(m_models.size() > 1, config.model);
    append(m_devices.size() > 1, config.device);
    append(m_layers.size() > 1, "layers " + config.layers);
    append(m_attentions.size() > 1, "attention " + config.attention);
    append(m_inputs.size() > 1, "inputs " + config.inputs);
    append(m_seeds.size() > 1, "seed " + std::to_string(config.seed));
    return text;
}

std::string CellLabels::withBatch(const PlannedCell& cell) const
{
    return of(cell) + kDot + "batch " + std::to_string(cell.config.batch);
}

std::string CellLabels::shared() const
{
    std::string text;
    const auto append = [&](bool same, const std::string& word) {
        if (same)
            text += (text.empty() ? "" : kDot) + word;
    };
    append(m_models.size() == 1, m_models.empty() ? "" : *m_models.begin());
    append(m_devices.size() == 1, m_devices.empty() ? "" : *m_devices.begin());
    append(m_sizes.size() == 1, m_sizes.empty() ? "" : *m_sizes.begin());
    return text;
}

CellLabels distinguish(std::span<const PlannedCell> cells)
{
    CellLabels labels;
    for (const PlannedCell& cell : cells)
        labels.add(cell.config);
    return labels;
}

CellLabels distinguish(const Analysis& analysis)
{
    CellLabels labels;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell != nullptr)
            labels.add(summary.cell->config);
    }
    return labels;
}

}  // namespace qs::core
