#include "core/lower/region_assembly.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// Two programs are equal if these are.
std::string identityOf(const RegionProgram& program)
{
    std::string text = program.part + "\n" + program.packageMode + "\n" + toText(program.graph);
    for (const auto& [id, values] : program.graph.constants) {
        text += program.graph.value(id).name;
        for (const double value : values)
            text += " " + std::to_string(value);
        text += "\n";
    }
    return text;
}

Node regionCall(const RegionWriter& writer, const std::string& module)
{
    ValueRefs inputs;
    for (const ValueId id : writer.inputs())
        inputs.push_back({id});
    Node node;
    node.operation = findOperation(kQsRegion);
    node.arguments = {{"inputs", std::move(inputs)}};
    node.outputs = writer.outputs();
    node.module = module;
    return node;
}

}  // namespace

RegionAssembly::RegionAssembly(const Graph& source) : m_source(source)
{
    m_stage.graph.values = source.values;
    m_stage.graph.inputs = source.inputs;
    m_stage.graph.outputs = source.outputs;
    m_stage.graph.constants = source.constants;
    m_stage.graph.initialValues = source.initialValues;
    m_stage.graph.allowTf32 = source.allowTf32;
}

void RegionAssembly::keep(std::size_t node)
{
    m_stage.graph.nodes.push_back(m_source.nodes[node]);
}

std::size_t RegionAssembly::call(const RegionWriter& writer, RegionProgram program)
{
    const auto [known, fresh] =
        m_programs.try_emplace(identityOf(program), m_stage.programs.size());
    m_stage.graph.nodes.push_back(regionCall(writer, program.module));
    m_stage.programOf.push_back(known->second);
    if (fresh)
        m_stage.programs.push_back(std::move(program));
    ++m_stage.programs[known->second].calls;
    return known->second;
}

RegionStage RegionAssembly::finish(const RecomputedValues& recomputed)
{
    Graph& graph = m_stage.graph;
    std::vector<bool> read(graph.values.size(), false);
    for (const ValueId id : graph.outputs)
        read[std::size_t(id)] = true;
    std::vector<Node> kept;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        if (recomputed.makes(*node) &&
            std::none_of(node->outputs.begin(), node->outputs.end(),
                         [&](ValueId id) { return read[std::size_t(id)]; }))
            continue;
        for (const ValueId id : node->inputs())
            read[std::size_t(id)] = true;
        kept.push_back(std::move(*node));
    }
    std::reverse(kept.begin(), kept.end());
    graph.nodes = std::move(kept);
    return std::move(m_stage);
}

}  // namespace qs::core
