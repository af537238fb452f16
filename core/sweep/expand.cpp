#include "core/sweep/expand.h"

#include "core/base/format.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/preset_axes.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

namespace qs::core {

namespace {

// One or several axes that advance together.
struct Dimension {
    std::vector<const Axis*> axes;

    [[nodiscard]] std::size_t size() const { return axes.front()->values.size(); }

    void apply(CellConfig& cell, std::size_t index) const
    {
        for (const Axis* axis : axes) {
            const Status status = setMember(cell, axis->name, axis->values[index]);
            QS_ASSERT(status.ok());  // checkAxes has seen every value
        }
    }
};

// In the order of axisNames(), whatever the order in the preset; a linked group stands where its
// first axis does.
std::vector<Dimension> dimensionsOf(const Preset& preset)
{
    std::vector<Dimension> dimensions;
    std::unordered_set<std::string> placed;
    const auto linkedWith = [&](const std::string& name) {
        for (const LinkedAxes& group : preset.linked) {
            if (std::find(group.begin(), group.end(), name) != group.end())
                return group;
        }
        return LinkedAxes{name};
    };
    for (const std::string& name : axisNames()) {
        if (findAxis(preset, name) == nullptr || placed.contains(name))
            continue;
        Dimension dimension;
        for (const std::string& member : linkedWith(name)) {
            const Axis* axis = findAxis(preset, member);
            if (axis != nullptr && placed.insert(member).second)
                dimension.axes.push_back(axis);
        }
        dimensions.push_back(std::move(dimension));
    }
    return dimensions;
}

// The cells of the plan in their order, each once.
class SweptCells final
{
public:
    explicit SweptCells(const Preset& preset) : m_preset(preset) {}

    void sweep(const CellConfig& config)
    {
        if (isExcluded(config))
            return;
        ExpandedCell cell{.config = plannedWorkload(config), .role = CellRole::Swept, .rerun = 0};
        if (isIdle(*findAxisSpec("layers"), config))
            cell.config.layers = CellConfig().layers;
        ExpandedCell& planned = add(cell);
        auto& same = planned.sameFilters;
        if (config.layers != planned.config.layers &&
            std::find(same.begin(), same.end(), config.layers) == same.end())
            same.push_back(config.layers);
    }

    // The cell of that configuration: a new one, or the one that is there.
    ExpandedCell& add(const ExpandedCell& cell)
    {
        const auto [place, isNew] =
            m_places.try_emplace(cellKey(cell.config) + std::to_string(cell.rerun), m_cells.size());
        if (isNew)
            m_cells.push_back(cell);
        return m_cells[place->second];
    }

    [[nodiscard]] const std::vector<ExpandedCell>& cells() const { return m_cells; }
    [[nodiscard]] std::vector<ExpandedCell> take() { return std::move(m_cells); }

private:
    [[nodiscard]] bool isExcluded(const CellConfig& config) const
    {
        return std::any_of(m_preset.exclusions.begin(), m_preset.exclusions.end(),
                           [&](const Exclusion& exclusion) { return matches(exclusion, config); });
    }

    [[nodiscard]] static bool matches(const Exclusion& exclusion, const CellConfig& config)
    {
        return std::all_of(exclusion.match.begin(), exclusion.match.end(),
                           [&](const auto& condition) {
                               const auto& [name, values] = condition;
                               return std::find(values.begin(), values.end(),
                                                memberText(config, name)) != values.end();
                           });
    }

    const Preset& m_preset;
    std::vector<ExpandedCell> m_cells;
    std::unordered_map<std::string, std::size_t> m_places;
};

void sweepCross(const Preset& preset, const std::vector<Dimension>& dimensions, SweptCells& plan)
{
    std::vector<std::size_t> indices(dimensions.size(), 0);
    while (true) {
        CellConfig cell = preset.defaults;
        for (std::size_t i = 0; i < dimensions.size(); ++i)
            dimensions[i].apply(cell, indices[i]);
        plan.sweep(cell);
        // Like an odometer: the last dimension turns fastest.
        std::size_t turning = dimensions.size();
        while (turning > 0 && ++indices[turning - 1] == dimensions[turning - 1].size())
            indices[--turning] = 0;
        if (turning == 0)
            return;
    }
}

void sweepOneAtATime(const Preset& preset, const std::vector<Dimension>& dimensions,
                     SweptCells& plan)
{
    for (const Dimension& dimension : dimensions) {
        for (std::size_t i = 0; i < dimension.size(); ++i) {
            CellConfig cell = preset.defaults;
            dimension.apply(cell, i);
            plan.sweep(cell);
        }
    }
    if (preset.appendDefault)
        plan.sweep(preset.defaults);
}

void addReferences(SweptCells& plan)
{
    const std::vector<ExpandedCell> swept = plan.cells();
    for (const ExpandedCell& cell : swept) {
        if (hasReference(cell.config))
            plan.add({.config = qualityReferenceOf(cell.config),
                      .role = CellRole::QualityReference,
                      .rerun = 0});
    }
}

// fp32, bf16 once more and, where there are graphs, bf16 as a graph: the same mathematics in other
// roundings and orders.
void addNoiseFloor(SweptCells& plan)
{
    const std::vector<ExpandedCell> planned = plan.cells();
    for (const ExpandedCell& cell : planned) {
        if (!hasReference(cell.config))
            continue;
        const CellConfig reference = qualityReferenceOf(cell.config);
        CellConfig single = reference;
        single.precision = {"fp32"};
        plan.add({.config = single, .role = CellRole::NoiseFloor, .rerun = 0});
        plan.add({.config = reference, .role = CellRole::NoiseFloor, .rerun = 1});
        if (reference.device.starts_with("cuda")) {
            CellConfig graph = reference;
            graph.compile = "cuda-graph";
            plan.add({.config = graph, .role = CellRole::NoiseFloor, .rerun = 0});
        }
    }
}

Status checkCount(std::int64_t count, bool manyAllowed)
{
    if (count > kCellsAtMost)
        return Error{ErrorCode::InvalidArgument, "the sweep has " + formatGrouped(count) +
                                                     " cells; " + formatGrouped(kCellsAtMost) +
                                                     " are the most"};
    if (count > kCellsWithoutAsking && !manyAllowed)
        return Error{ErrorCode::InvalidArgument,
                     "the sweep has " + formatGrouped(count) + " cells; more than " +
                         formatGrouped(kCellsWithoutAsking) + " must be allowed explicitly"};
    return {};
}

}  // namespace

std::int64_t countCells(const Preset& preset)
{
    const bool cross = preset.mode == SweepMode::Cross;
    std::int64_t count = cross ? 1 : (preset.appendDefault ? 1 : 0);
    for (const Dimension& dimension : dimensionsOf(preset)) {
        const auto size = static_cast<std::int64_t>(dimension.size());
        const bool overflows = cross ? __builtin_mul_overflow(count, size, &count)
                                     : __builtin_add_overflow(count, size, &count);
        if (overflows)
            count = INT64_MAX;
    }
    return count;
}

Result<std::vector<ExpandedCell>> expandCells(const Preset& preset, bool manyAllowed)
{
    std::vector<JsonIssue> issues;
    checkAxes(preset, issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, formatIssues(issues)};
    QS_RETURN_IF_ERROR(checkCount(countCells(preset), manyAllowed));
    SweptCells plan(preset);
    const std::vector<Dimension> dimensions = dimensionsOf(preset);
    if (preset.mode == SweepMode::Cross)
        sweepCross(preset, dimensions, plan);
    else
        sweepOneAtATime(preset, dimensions, plan);
    if (plan.cells().empty())
        return Error{ErrorCode::InvalidArgument,
                     "the sweep has no cells: no axes, or all cells are excluded"};
    addReferences(plan);
    if (preset.noiseFloor)
        addNoiseFloor(plan);
    return plan.take();
}

bool hasReference(const CellConfig& cell)
{
    return !allStagesAre(cell, kAsPackaged);
}

CellConfig qualityReferenceOf(const CellConfig& cell)
{
    CellConfig reference = cell;
    for (const AxisSpec& axis : axisSpecs()) {
        if (axis.ofReference)
            axis.set(reference, *axis.ofReference);
    }
    return reference;
}

}  // namespace qs::core
