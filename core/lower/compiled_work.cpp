#include "core/lower/compiled_work.h"

#include "core/graph/cost.h"
#include "core/graph/graph_uses.h"
#include "core/lower/fused/through_view.h"
#include "core/lower/region_stage.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace qs::core {

namespace {

// Whether the axes of a view lie in another order than what it views.
bool turns(const Graph& graph, const Node& node)
{
    const std::string_view name = node.operation->name;
    return (name == "aten::transpose" || name == "aten::permute") && !keepsOrder(graph, node);
}

// Axes that changed places cannot be merged where they lie.
bool copies(const GraphUses& uses, const Node& node)
{
    if (node.operation->name != "aten::reshape")
        return false;
    const Graph& graph = uses.graph();
    const ValueId self = node.inputs().front();
    const auto before = uses.producer(self);
    return before && turns(graph, graph.nodes[*before]) &&
           graph.value(node.outputs.front()).type.shape.size() <
               graph.value(self).type.shape.size();
}

// With the copies among views, which costOf leaves out as no bound may count them: an attention
// may have written its output in the order that the merge of its heads asks for.
double bytesMoved(const Graph& graph, const Cost& cost)
{
    const GraphUses uses(graph);
    double bytes = cost.weightBytes + cost.activationBytes;
    for (const Node& node : graph.nodes) {
        if (copies(uses, node))
            bytes += 2.0 * static_cast<double>(graph.value(node.outputs.front()).type.bytes());
    }
    return bytes;
}

// The same operations cost a little more where weights are inputs.
double shareOf(double part, double whole)
{
    return whole > 0.0 ? std::min(part / whole, 1.0) : 0.0;
}

bool hasFloat8(const Graph& graph)
{
    return std::any_of(graph.values.begin(), graph.values.end(),
                       [](const Value& value) { return value.type.dtype == DType::Float8E4M3; });
}

}  // namespace

// What Inductor writes for a CPU is C++ in which PyTorch's own headers declare no float8 type.
std::optional<Note> whyNotCompiled(const Program& program, const Recipe& recipe,
                                   const DeviceDescription& device)
{
    if (device.kind != DeviceKind::Cpu)
        return std::nullopt;
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
        const auto packages = packagePrograms(program.stages[i], device);
        if (!packages.ok())
            continue;  // said when it is compiled
        const auto& all = packages.value();
        if (std::any_of(all.begin(), all.end(),
                        [](const PackageProgram& each) { return hasFloat8(each.graph); }))
            return Note{NoteCode::CompilerRefuses,
                        {recipe[i].scheme.text(), program.stages[i].compile.text(), device.id}};
    }
    return std::nullopt;
}

Result<std::optional<CompiledShare>> compiledShare(const Program& program,
                                                   const std::vector<ReferenceStage>& stages,
                                                   const DeviceDescription& device)
{
    double flops = 0.0;
    double bytes = 0.0;
    double allFlops = 0.0;
    double allBytes = 0.0;
    bool compiles = false;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const auto runs = static_cast<double>(program.stages[i].runs);
        const Cost whole = costOf(stages[i].graph);
        allFlops += whole.flops() * runs;
        allBytes += bytesMoved(stages[i].graph, whole) * runs;
        QS_TRY(const std::vector<PackageProgram> packages,
               packagePrograms(program.stages[i], device));
        compiles |= !packages.empty();
        for (const PackageProgram& package : packages) {
            const Cost cost = costOf(package.graph);
            flops += cost.flops() * package.calls * runs;
            bytes += bytesMoved(package.graph, cost) * package.calls * runs;
        }
    }
    if (!compiles)
        return std::optional<CompiledShare>();
    return std::optional(CompiledShare{shareOf(flops, allFlops), shareOf(bytes, allBytes)});
}

}  // namespace qs::core
