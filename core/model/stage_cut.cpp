#include "core/model/stage_cut.h"

#include "core/base/excerpt.h"
#include "core/graph/builder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

bool liesIn(std::string_view module, std::string_view parent)
{
    return module.starts_with(parent) &&
           (module.size() == parent.size() || module[parent.size()] == '.');
}

// The cut with the longest module that it lies in.
std::optional<std::size_t> cutOf(const std::string& module, const std::vector<StageCut>& cuts)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (liesIn(module, cuts[i].module) &&
            (!found || cuts[i].module.size() > cuts[*found].module.size()))
            found = i;
    }
    return found;
}

class Cutter final
{
public:
    Cutter(const Graph& graph, const std::vector<StageCut>& cuts)
        : m_graph(graph),
          m_cuts(cuts),
          m_stageOfValue(graph.values.size(), kNone),
          m_lastReader(graph.values.size(), 0),
          m_root(graph.values.size())
    {
        for (std::size_t i = 0; i < m_root.size(); ++i)
            m_root[i] = static_cast<ValueId>(i);
    }

    Result<std::vector<Graph>> cut()
    {
        QS_RETURN_IF_ERROR(assign());
        std::vector<Graph> stages;
        for (std::size_t stage = 0; stage < m_cuts.size(); ++stage) {
            QS_TRY(Graph graph, write(stage));
            stages.push_back(std::move(graph));
        }
        return stages;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    Status assign()
    {
        std::vector<bool> met(m_cuts.size(), false);
        std::size_t current = 0;
        for (const Node& node : m_graph.nodes) {
            if (const auto found = cutOf(node.module, m_cuts)) {
                if (*found < current)
                    return Error{ErrorCode::Unsupported, "stage " + m_cuts[*found].name +
                                                             " goes on in " + excerpt(node.module) +
                                                             " after stage " +
                                                             m_cuts[current].name + " has begun"};
                current = *found;
                met[current] = true;
            }
            QS_RETURN_IF_ERROR(place(node, current));
        }
        for (std::size_t i = 0; i < m_cuts.size(); ++i) {
            if (!met[i])
                return Error{ErrorCode::InvalidArgument, "no operation of the model lies in \"" +
                                                             excerpt(m_cuts[i].module) + "\""};
        }
        return {};
    }

    Status place(const Node& node, std::size_t stage)
    {
        m_stageOfNode.push_back(stage);
        for (const ValueId input : node.inputs())
            m_lastReader[at(input)] = std::max(m_lastReader[at(input)], stage);
        const auto root = [&](std::string_view argument) {
            const ValueId value = argument.empty() ? -1 : node.tensor(argument);
            return value < 0 ? ValueId{-1} : m_root[at(value)];
        };
        const ValueId written = root(node.operation->mutates);
        if (written >= 0 && m_stageOfValue[at(written)] != kNone &&
            m_stageOfValue[at(written)] != stage)
            return Error{ErrorCode::Unsupported,
                         "stage " + m_cuts[stage].name + " writes into what stage " +
                             m_cuts[m_stageOfValue[at(written)]].name + " made"};
        const ValueId shared = written >= 0 ? written : root(node.operation->aliases);
        for (const ValueId output : node.outputs) {
            m_stageOfValue[at(output)] = stage;
            if (shared >= 0)
                m_root[at(output)] = shared;
        }
        return {};
    }

    // Inputs, weights and constants belong to nobody.
    [[nodiscard]] bool comesFromBefore(ValueId value, std::size_t stage) const
    {
        return m_stageOfValue[at(value)] != kNone && m_stageOfValue[at(value)] < stage;
    }

    [[nodiscard]] std::string nameBetween(ValueId value) const
    {
        const auto& outputs = m_graph.outputs;
        return std::find(outputs.begin(), outputs.end(), value) != outputs.end()
                   ? m_graph.value(value).name
                   : "between_" + std::to_string(value);
    }

    ValueId mapped(GraphBuilder& builder, std::vector<ValueId>& map, ValueId source,
                   std::size_t stage) const
    {
        if (source < 0 || map[at(source)] >= 0)
            return source < 0 ? source : map[at(source)];
        const Value& value = m_graph.value(source);
        ValueId copy = -1;
        if (comesFromBefore(source, stage))
            copy = builder.input(nameBetween(source), value.type);
        else if (value.kind == ValueKind::Weight)
            copy = builder.weight(value.name, value.type);
        else if (value.kind == ValueKind::Input)
            copy = builder.input(value.name, value.type);
        else if (value.kind == ValueKind::Constant)
            copy = builder.constant(value.name, value.type, m_graph.constants.at(source));
        else if (value.kind == ValueKind::State)
            copy = builder.state(value.name, value.type, m_graph.initialValue(source));
        map[at(source)] = copy;
        return copy;
    }

    Result<Graph> write(std::size_t stage) const
    {
        GraphBuilder builder;
        std::vector<ValueId> map(m_graph.values.size(), -1);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[i];
            if (m_stageOfNode[i] != stage)
                continue;
            const ModuleScope scope(builder, node.module);
            std::vector<NamedArgument> arguments = node.arguments;
            for (NamedArgument& each : arguments) {
                if (auto* ref = std::get_if<ValueRef>(&each.value))
                    ref->id = mapped(builder, map, ref->id, stage);
                else if (auto* refs = std::get_if<ValueRefs>(&each.value))
                    for (ValueRef& entry : *refs)
                        entry.id = mapped(builder, map, entry.id, stage);
            }
            const auto results = builder.call(node.operation->fullName(), std::move(arguments));
            if (builder.failed())
                break;
            for (std::size_t k = 0; k < node.outputs.size(); ++k)
                map[at(node.outputs[k])] = results[k];
        }
        addOutputs(builder, map, stage);
        return builder.finish();
    }

    void addOutputs(GraphBuilder& builder, const std::vector<ValueId>& map, std::size_t stage) const
    {
        const auto& given = m_graph.outputs;
        for (std::size_t i = 0; i < m_graph.values.size() && !builder.failed(); ++i) {
            const auto value = static_cast<ValueId>(i);
            const bool ends = std::find(given.begin(), given.end(), value) != given.end();
            if (m_stageOfValue[i] == stage && (ends || m_lastReader[i] > stage))
                builder.output(map[i], nameBetween(value));
        }
    }

    static std::size_t at(ValueId value) { return static_cast<std::size_t>(value); }

    const Graph& m_graph;
    const std::vector<StageCut>& m_cuts;
    std::vector<std::size_t> m_stageOfNode;
    std::vector<std::size_t> m_stageOfValue;  // kNone: of inputs and weights
    std::vector<std::size_t> m_lastReader;    // stage
    std::vector<ValueId> m_root;              // whose memory it is
};

}  // namespace

Result<std::vector<Graph>> cutIntoStages(const Graph& graph, const std::vector<StageCut>& cuts)
{
    return Cutter(graph, cuts).cut();
}

}  // namespace qs::core
