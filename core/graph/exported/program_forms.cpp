#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/form_tables.h"

#include <algorithm>

namespace qs::core::exported {

namespace {

using GraphPointer = std::shared_ptr<const ProgramGraph>;

Status extent(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const auto& shape = graph.builder().shape(call.tensor("self"));
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t dimension = call.whole("dim", 0);
    if (dimension < -rank || dimension >= rank)
        return Error{ErrorCode::Format, "there is no dimension " + std::to_string(dimension)};
    const auto at = static_cast<std::size_t>(dimension < 0 ? dimension + rank : dimension);
    graph.bind(node, Number(shape[at]));
    return {};
}

Status elements(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    graph.bind(node, Number(graph.builder().type(call.tensor("self")).elementCount()));
    return {};
}

// What would only stop the program.
Status nothing(Concretizer&, const ProgramNode&)
{
    return {};
}

// Flags and names stand before the graph, its operands behind it.
struct Region {
    GraphPointer graph;
    std::vector<ProgramArgument> operands;
    std::vector<bool> flags;  // in front of the graph
};

Region regionOf(const ProgramNode& node)
{
    Region region;
    for (const NamedProgramArgument& each : node.arguments) {
        const auto* found = std::get_if<GraphPointer>(&each.value);
        const auto* flag = std::get_if<bool>(&each.value);
        if (found != nullptr && region.graph == nullptr)
            region.graph = *found;
        else if (region.graph != nullptr)
            region.operands.push_back(each.value);
        else if (flag != nullptr)
            region.flags.push_back(*flag);
    }
    return region;
}

Status nested(Concretizer& graph, const ProgramNode& node)
{
    const Region region = regionOf(node);
    if (region.graph == nullptr)
        return Error{ErrorCode::Format, "has no inner graph"};
    return graph.inlineGraph(*region.graph, region.operands, node);
}

// Device, type, whether it is on, whether casts are kept; then the graph.
Status autocast(Concretizer& graph, const ProgramNode& node)
{
    const Region region = regionOf(node);
    if (region.graph == nullptr || region.flags.empty())
        return Error{ErrorCode::Format, "has no inner graph or no flag"};
    return graph.inlineRegion(*region.graph, region.operands, node, region.flags.front());
}

// A choice between two graphs by a number that the sizes give.
Status choice(Concretizer& graph, const ProgramNode& node)
{
    if (node.arguments.size() != 4)
        return Error{ErrorCode::Format, "has another number of arguments than a choice has"};
    const auto condition = graph.numberOf(node.arguments[0].value);
    if (!condition)
        return Error{ErrorCode::Unsupported,
                     "chooses by data which of two graphs runs; only sizes can choose here"};
    const auto* chosen =
        std::get_if<GraphPointer>(&node.arguments[isTrue(*condition) ? 1 : 2].value);
    if (chosen == nullptr)
        return Error{ErrorCode::Format, "has no inner graph"};
    std::vector<ProgramArgument> operands;
    if (const auto* names = std::get_if<TensorNames>(&node.arguments[3].value)) {
        for (const std::string& name : *names)
            operands.emplace_back(TensorName{name});
    }
    return graph.inlineGraph(**chosen, operands, node);
}

}  // namespace

const FormTable& programForms()
{
    static const FormTable forms{
        {"torch.ops.aten.sym_size.int", extent},
        {"torch.ops.aten.sym_numel.default", elements},
        {"torch.ops.aten._assert_tensor_metadata.default", nothing},
        {"torch.ops.aten._assert_scalar.default", nothing},
        {"torch.ops.aten._assert_async.default", nothing},
        {"torch.ops.aten._assert_async.msg", nothing},
        {"torch.ops.aten.sym_constrain_range.default", nothing},
        {"torch.ops.aten.sym_constrain_range_for_size.default", nothing},
        {"torch.ops.higher_order.wrap_with_set_grad_enabled", nested},
        {"torch.ops.higher_order.wrap_with_autocast", autocast},
        {"torch.ops.higher_order.cond", choice},
    };
    return forms;
}

}  // namespace qs::core::exported
