#pragma once

#include "core/base/result.h"
#include "core/graph/builder.h"
#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace qs::core {

[[nodiscard]] bool isView(const Node& node);

// Values that cost less to compute where they are read than to keep: views, and, where asked for,
// small tables made element by element of inputs and constants, such as sines of positions. In a
// program of the whole stage Inductor computes such tables within the kernels that read them.
class RecomputedValues final
{
public:
    RecomputedValues(const GraphUses& uses, const NodeOrder& order, bool tables);

    // Made by an operation, whose other results are such values, too.
    [[nodiscard]] bool contains(ValueId id) const { return m_contained[std::size_t(id)]; }
    [[nodiscard]] bool makes(const Node& node) const;
    // It is made by an operation of one result.
    void recompute(ValueId id) { m_contained[std::size_t(id)] = true; }
    // It is read as it is.
    void keep(ValueId id) { m_contained[std::size_t(id)] = false; }
    // What a region makes of results of its own that cost something is read from it. `regionOf`
    // each node; nothing: between them.
    void keepResults(const GraphUses& uses,
                     const std::vector<std::optional<std::size_t>>& regionOf);

private:
    std::vector<bool> m_contained;
};

// Copies the operations of a region into a graph of its own: inputs "x0", "x1" …, outputs "y0" …;
// recomputed values that it reads are computed in it. All that it is made with outlives it.
class RegionWriter final
{
public:
    RegionWriter(const GraphUses& uses, const RecomputedValues& recomputed, const NodeGroup& region)
        : m_uses(uses), m_recomputed(recomputed), m_region(region.begin(), region.end())
    {
    }

    // Once.
    [[nodiscard]] Result<Graph> write();

    // Values of the stage, in the order of the graph's inputs and outputs.
    [[nodiscard]] const std::vector<ValueId>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<ValueId>& outputs() const { return m_outputs; }

private:
    [[nodiscard]] ValueId map(ValueId source);
    void copy(std::size_t index);

    const GraphUses& m_uses;
    const RecomputedValues& m_recomputed;
    std::set<std::size_t> m_region;
    GraphBuilder m_builder;
    std::map<ValueId, ValueId> m_mapped;
    std::vector<ValueId> m_inputs;
    std::vector<ValueId> m_outputs;
    int m_constants = 0;
};

}  // namespace qs::core
