#include "core/analysis/matched_cells.h"

#include "core/sweep/axis_spec.h"

#include <map>
#include <set>
#include <string>

namespace qs::core {

namespace {

bool isMatched(const CellSummary& summary)
{
    return summary.cell != nullptr && summary.cell->rerun == 0;
}

std::set<std::string> valuesOf(const AxisSpec& axis, const Analysis& analysis)
{
    std::set<std::string> values;
    for (const CellSummary& summary : analysis.cells) {
        if (isMatched(summary))
            values.insert(axis.text(summary.cell->config));
    }
    return values;
}

std::vector<ChangedAxis> changedAxes(const Analysis& first, const Analysis& second)
{
    std::vector<ChangedAxis> changed;
    for (const AxisSpec& axis : axisSpecs()) {
        const std::set<std::string> before = valuesOf(axis, first);
        const std::set<std::string> after = valuesOf(axis, second);
        if (before.size() == 1 && after.size() == 1 && before != after)
            changed.push_back({axis.name, *before.begin(), *after.begin()});
    }
    return changed;
}

// Every axis of the cell that was not changed.
std::string keyOf(const CellSummary& summary, const std::set<std::string>& changed)
{
    std::string key;
    for (const AxisSpec& axis : axisSpecs()) {
        if (!changed.contains(axis.name))
            key += axis.text(summary.cell->config) + '\n';
    }
    return key;
}

}  // namespace

CellMatches matchCells(const Analysis& first, const Analysis& second)
{
    CellMatches matches{
        .changed = changedAxes(first, second), .pairs = {}, .onlyFirst = {}, .onlySecond = {}};
    std::set<std::string> names;
    for (const ChangedAxis& axis : matches.changed)
        names.insert(axis.name);
    std::map<std::string, const CellSummary*> left;
    for (const CellSummary& summary : second.cells) {
        if (isMatched(summary))
            left.emplace(keyOf(summary, names), &summary);
    }
    for (const CellSummary& summary : first.cells) {
        if (!isMatched(summary))
            continue;
        const auto found = left.find(keyOf(summary, names));
        if (found == left.end()) {
            matches.onlyFirst.push_back(&summary);
            continue;
        }
        matches.pairs.emplace_back(&summary, found->second);
        left.erase(found);
    }
    std::set<const CellSummary*> unmatched;
    for (const auto& [key, summary] : left)
        unmatched.insert(summary);
    for (const CellSummary& summary : second.cells) {
        if (unmatched.contains(&summary))
            matches.onlySecond.push_back(&summary);
    }
    return matches;
}

}  // namespace qs::core
