#include "app/cli/filter_plan.h"

#include "core/base/text_parts.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <set>
#include <utility>

namespace qs::app {

namespace {

using core::CellRole;
using core::Error;
using core::ErrorCode;
using core::PlannedCell;

// One "name=value,value".
struct Filter {
    std::string name;
    std::set<std::string> values;

    [[nodiscard]] bool matches(const PlannedCell& cell) const
    {
        return values.contains(core::memberText(cell.config, name));
    }
};

core::Result<Filter> parse(const std::string& text)
{
    const auto equals = text.find('=');
    Filter filter{text.substr(0, equals), {}};
    if (equals == std::string::npos || !core::isAxisName(filter.name)) {
        std::string names;
        for (const std::string& name : core::axisNames())
            names += (names.empty() ? "" : ", ") + name;
        return Error{ErrorCode::InvalidArgument,
                     "--filter " + text +
                         ": expected name=value or name=value,value; names: " + names};
    }
    for (const std::string& each : core::splitOutsideBraces(text.substr(equals + 1), ',')) {
        QS_TRY(std::string value, core::normalValue(filter.name, each));
        filter.values.insert(std::move(value));
    }
    return filter;
}

}  // namespace

core::Status filterPlan(core::Plan& plan, const std::vector<std::string>& texts)
{
    if (texts.empty())
        return {};
    std::vector<Filter> filters;
    for (const std::string& text : texts) {
        QS_TRY(Filter filter, parse(text));
        filters.push_back(std::move(filter));
    }
    const auto chosen = [&](const PlannedCell& cell) {
        return cell.role == CellRole::Swept &&
               std::all_of(filters.begin(), filters.end(),
                           [&](const Filter& filter) { return filter.matches(cell); });
    };
    std::set<std::string> references;
    for (const PlannedCell& cell : plan.cells) {
        if (chosen(cell))
            references.insert(cell.referenceId);
    }
    if (references.empty())
        return Error{ErrorCode::InvalidArgument, "--filter matches no cell"};
    references.insert(plan.preset.speedBaseline);  // when it is the id of a cell
    std::vector<PlannedCell> kept;
    for (PlannedCell& cell : plan.cells) {
        const bool isReference = references.contains(cell.id);
        const bool serves = cell.role != CellRole::Swept && references.contains(cell.referenceId);
        if (!chosen(cell) && isReference && cell.role == CellRole::Swept)
            cell.role = CellRole::QualityReference;
        else if (!chosen(cell) && !isReference && !serves)
            continue;
        kept.push_back(std::move(cell));
    }
    plan.cells = std::move(kept);
    // A plan must not name references it does not hold.
    for (PlannedCell& cell : plan.cells) {
        if (plan.find(cell.referenceId) == nullptr)
            cell.referenceId.clear();
    }
    return {};
}

}  // namespace qs::app
