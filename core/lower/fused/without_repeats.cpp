#include "core/lower/fused/without_repeats.h"

#include "core/lower/arrangement.h"
#include "core/lower/mapped_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace qs::core {

namespace {

std::string textOf(const Argument& argument)
{
    struct Visitor {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(ValueRef value) const { return fmt::format("%{}", value.id); }
        std::string operator()(const ValueRefs& values) const
        {
            std::string text;
            for (const ValueRef& each : values)
                text += fmt::format("%{},", each.id);
            return text;
        }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(double number) const { return fmt::format("{:a}", number); }
        std::string operator()(const std::string& word) const { return "\"" + word + "\""; }
        std::string operator()(const std::vector<std::int64_t>& list) const
        {
            return fmt::format("[{}]", fmt::join(list, ","));
        }
        std::string operator()(const std::vector<double>& list) const
        {
            return fmt::format("[{:a}]", fmt::join(list, ","));
        }
        std::string operator()(DType type) const { return std::string(name(type)); }
    };
    return std::visit(Visitor{}, argument);
}

std::string keyOf(const Node& node)
{
    std::string key = node.operation->fullName();
    for (const NamedArgument& argument : node.arguments)
        key += fmt::format("|{}={}", argument.name, textOf(argument.value));
    return key;
}

}  // namespace

Graph withoutRepeats(const Graph& graph)
{
    const NodeOrder order(graph);
    std::vector<ValueId> first(graph.values.size());
    std::iota(first.begin(), first.end(), 0);
    const auto map = [&](ValueId id) { return id < 0 ? id : first[std::size_t(id)]; };
    std::map<std::string, std::vector<ValueId>> computed;
    Graph result = graph;
    result.nodes.clear();
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        Node node = graph.nodes[index];
        node.arguments = mappedArguments(graph.nodes[index], map);
        const bool leaves = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) {
            return std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
        });
        if (!leaves && !touchesMutated(graph, order, {index})) {
            const auto [known, fresh] = computed.try_emplace(keyOf(node), node.outputs);
            if (!fresh) {
                for (std::size_t i = 0; i < node.outputs.size(); ++i)
                    first[std::size_t(node.outputs[i])] = known->second[i];
                continue;
            }
        }
        result.nodes.push_back(std::move(node));
    }
    return result;
}

}  // namespace qs::core
