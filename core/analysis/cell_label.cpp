#include "core/analysis/cell_label.h"

#include "core/model/family_registry.h"
#include "core/sweep/axis_spec.h"

#include <utility>

namespace qs::core {

namespace {

constexpr const char* kDot = " · ";
// Of a sample without any of the sizes that others have.
constexpr const char* kUsualSizes = "usual sizes";

bool hasItsOwnPlace(const AxisSpec& axis)
{
    return axis.name == "precision" || axis.name == "compile" || axis.name == "batch";
}

void append(std::string& text, const std::string& word)
{
    if (!word.empty())
        text += (text.empty() ? "" : kDot) + word;
}

}  // namespace

void CellLabels::add(const CellConfig& config)
{
    for (const AxisSpec& axis : axisSpecs()) {
        std::string words = memberWords(axis, config);
        // An idle axis has none; finding out whether it is takes longer than the rest.
        if (!words.empty() || !isIdle(axis, config))
            m_values[axis.name].insert(std::move(words));
    }
}

bool CellLabels::differs(const AxisSpec& axis) const
{
    const auto values = m_values.find(axis.name);
    return values != m_values.end() && values->second.size() > 1;
}

std::string CellLabels::sample(const PlannedCell& cell) const
{
    std::string text;
    bool anyOff = false;
    for (const AxisSpec* axis : m_sampleAxes) {
        append(text, memberWords(*axis, cell.config));
        anyOff = anyOff || isOff(*axis, cell.config);
    }
    return text.empty() && anyOff ? kUsualSizes : text;
}

std::string CellLabels::of(const PlannedCell& cell) const
{
    const CellConfig& config = cell.config;
    std::string text = precisionText(config) + kDot + memberWords(*findAxisSpec("compile"), config);
    if (cell.rerun > 0)
        text +=
            std::string(kDot) + (cell.rerun > 1 ? "again " + std::to_string(cell.rerun) : "again");
    for (const AxisSpec& axis : axisSpecs()) {
        if (differs(axis) && !hasItsOwnPlace(axis))
            append(text, memberWords(axis, config));
    }
    return text;
}

std::string CellLabels::withBatch(const PlannedCell& cell) const
{
    return of(cell) + kDot + "batch " + std::to_string(cell.config.batch);
}

std::string CellLabels::shared() const
{
    std::string text;
    for (const AxisSpec& axis : axisSpecs()) {
        const bool says = axis.name == "model" || axis.name == "device" || !axis.unit.empty();
        const auto values = m_values.find(axis.name);
        if (says && values != m_values.end() && values->second.size() == 1)
            append(text, *values->second.begin());
    }
    return text;
}

CellLabels distinguish(std::span<const PlannedCell> cells)
{
    CellLabels labels;
    for (const PlannedCell& cell : cells)
        labels.add(cell.config);
    for (const AxisSpec& axis : axisSpecs()) {
        if (axis.ofSample && labels.differs(axis))
            labels.m_sampleAxes.push_back(&axis);
    }
    return labels;
}

}  // namespace qs::core
