#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/form_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

// Operations that are written as several of the catalogue.
namespace qs::core::exported {

namespace {

using List = std::vector<std::int64_t>;

// The first result; 0 after an error, which the builder keeps.
ValueId emitOne(Concretizer& graph, const std::string& operation,
                std::vector<NamedArgument> arguments)
{
    const auto results = graph.emit(operation, ConcreteCall{std::move(arguments)});
    return results.empty() ? 0 : results.front();
}

// "bij,bjk->bik" for one or two tensors, each letter once in each.
struct Equation {
    std::string left;
    std::string right;
    std::string result;
};

bool hasEach(std::string_view text, std::string_view letters)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] < 'A' || text.find(text[i], i + 1) != std::string_view::npos ||
            letters.find(text[i]) == std::string_view::npos)
            return false;
    }
    return true;
}

std::optional<Equation> equationOf(std::string text, std::size_t operands)
{
    std::erase(text, ' ');
    const auto arrow = text.find("->");
    const auto comma = text.find(',');
    if (arrow == std::string::npos || (comma < arrow) != (operands == 2))
        return std::nullopt;
    Equation equation;
    equation.left = text.substr(0, std::min(comma, arrow));
    if (operands == 2)
        equation.right = text.substr(comma + 1, arrow - comma - 1);
    equation.result = text.substr(arrow + 2);
    const std::string all = equation.left + equation.right;
    if (!hasEach(equation.left, all) || !hasEach(equation.right, all) ||
        !hasEach(equation.result, all))
        return std::nullopt;
    return equation;
}

bool contains(std::string_view text, char letter)
{
    return text.find(letter) != std::string_view::npos;
}

// Letters of the first that are (or are not) in the others.
std::string chosen(std::string_view from, std::string_view a, bool inA, std::string_view b,
                   bool inB)
{
    std::string letters;
    for (const char letter : from) {
        if (contains(a, letter) == inA && contains(b, letter) == inB)
            letters += letter;
    }
    return letters;
}

// Dimensions in another order.
ValueId ordered(Concretizer& graph, ValueId value, std::string_view from, std::string_view to)
{
    List order;
    for (const char letter : to)
        order.push_back(static_cast<std::int64_t>(from.find(letter)));
    return emitOne(graph, "aten::permute", {{"self", ValueRef{value}}, {"dims", order}});
}

ValueId reshaped(Concretizer& graph, ValueId value, List shape)
{
    return emitOne(graph, "aten::reshape",
                   {{"self", ValueRef{value}}, {"shape", std::move(shape)}});
}

std::int64_t product(const std::map<char, std::int64_t>& extents, std::string_view letters)
{
    std::int64_t all = 1;
    for (const char letter : letters)
        all *= extents.at(letter);
    return all;
}

// Without what only it has and nobody asks for.
ValueId summed(Concretizer& graph, ValueId value, std::string& letters, std::string_view kept)
{
    List dimensions;
    std::string left;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (contains(kept, letters[i]))
            left += letters[i];
        else
            dimensions.push_back(static_cast<std::int64_t>(i));
    }
    if (dimensions.empty())
        return value;
    letters = left;
    return emitOne(graph, "aten::sum.dim_IntList",
                   {{"self", ValueRef{value}}, {"dim", dimensions}});
}

ValueId multiplied(Concretizer& graph, ValueId a, ValueId b, Equation equation)
{
    a = summed(graph, a, equation.left, equation.right + equation.result);
    b = summed(graph, b, equation.right, equation.left + equation.result);
    std::map<char, std::int64_t> extents;
    for (std::size_t i = 0; i < equation.left.size(); ++i)
        extents[equation.left[i]] = graph.builder().shape(a)[i];
    for (std::size_t i = 0; i < equation.right.size(); ++i)
        extents.emplace(equation.right[i], graph.builder().shape(b)[i]);
    const std::string batch = chosen(equation.left, equation.right, true, equation.result, true);
    const std::string inner = chosen(equation.left, equation.right, true, equation.result, false);
    const std::string rows = chosen(equation.left, equation.right, false, equation.result, true);
    const std::string columns = chosen(equation.right, equation.left, false, equation.result, true);
    const std::int64_t batches = product(extents, batch);
    a = reshaped(graph, ordered(graph, a, equation.left, batch + rows + inner),
                 {batches, product(extents, rows), product(extents, inner)});
    b = reshaped(graph, ordered(graph, b, equation.right, batch + inner + columns),
                 {batches, product(extents, inner), product(extents, columns)});
    const ValueId all = emitOne(graph, "aten::bmm", {{"self", ValueRef{a}}, {"mat2", ValueRef{b}}});
    List shape;
    for (const char letter : batch + rows + columns)
        shape.push_back(extents.at(letter));
    return ordered(graph, reshaped(graph, all, std::move(shape)), batch + rows + columns,
                   equation.result);
}

Status einsum(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const Argument* text = call.find("equation");
    const Argument* tensors = call.find("tensors");
    const auto* words = text == nullptr ? nullptr : std::get_if<std::string>(text);
    const auto* operands = tensors == nullptr ? nullptr : std::get_if<ValueRefs>(tensors);
    if (words == nullptr || operands == nullptr)
        return Error{ErrorCode::Format, "lacks its equation or its tensors"};
    auto equation = equationOf(*words, operands->size());
    const auto fits = [&](std::size_t i, const std::string& letters) {
        return graph.builder().shape((*operands)[i].id).size() == letters.size();
    };
    if (operands->empty() || operands->size() > 2 || !equation || !fits(0, equation->left) ||
        (operands->size() == 2 && !fits(1, equation->right)))
        return Error{ErrorCode::Unsupported,
                     "only equations of one or two tensors that name each dimension once are "
                     "known; run_decompositions() of the export leaves none"};
    ValueId value = (*operands)[0].id;
    if (operands->size() == 2) {
        value = multiplied(graph, value, (*operands)[1].id, *equation);
    } else {
        value = summed(graph, value, equation->left, equation->result);
        value = ordered(graph, value, equation->left, equation->result);
    }
    graph.bind(node, std::vector<ValueId>{value});
    return {};
}

// Ones where the row is the column.
Status eye(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const std::int64_t rows = call.whole("n", 0);
    const auto count = [&](std::int64_t end) {
        return emitOne(graph, "aten::arange", {{"end", end}});
    };
    const ValueId row = emitOne(graph, "aten::unsqueeze",
                                {{"self", ValueRef{count(rows)}}, {"dim", std::int64_t{1}}});
    const ValueId same =
        emitOne(graph, "aten::eq.Tensor",
                {{"self", ValueRef{row}}, {"other", ValueRef{count(call.whole("m", rows))}}});
    const Argument* dtype = call.find("dtype");
    const auto* type = dtype == nullptr ? nullptr : std::get_if<DType>(dtype);
    graph.bind(node, graph.emit("aten::to.dtype",
                                {{{"self", ValueRef{same}},
                                  {"dtype", type == nullptr ? DType::Float32 : *type}}}));
    return {};
}

// A slope for each channel where it is negative.
Status prelu(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const ValueId self = call.tensor("self");
    ValueId weight = call.tensor("weight");
    const std::size_t rank = graph.builder().shape(self).size();
    if (rank > 1 && graph.builder().shape(weight).size() == 1) {
        List shape(rank, 1);
        shape[1] = graph.builder().shape(weight)[0];
        weight = reshaped(graph, weight, std::move(shape));
    }
    const ValueId positive =
        emitOne(graph, "aten::gt.Scalar", {{"self", ValueRef{self}}, {"other", 0.0}});
    const ValueId scaled =
        emitOne(graph, "aten::mul.Tensor", {{"self", ValueRef{self}}, {"other", ValueRef{weight}}});
    graph.bind(node, graph.emit("aten::where.self", {{{"condition", ValueRef{positive}},
                                                      {"self", ValueRef{self}},
                                                      {"other", ValueRef{scaled}}}}));
    return {};
}

Status powerOfNumber(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    const auto base = call.number("self");
    if (!base)
        return Error{ErrorCode::Format, "has no number to raise"};
    graph.bind(node, graph.emit("aten::pow.Tensor_Tensor",
                                {{{"self", ValueRef{graph.numberTensor(*base)}},
                                  {"exponent", ValueRef{call.tensor("exponent")}}}}));
    return {};
}

}  // namespace

const FormTable& composedForms()
{
    static const FormTable forms{
        {"torch.ops.aten.einsum.default", einsum},
        {"torch.ops.aten.eye.default", eye},
        {"torch.ops.aten.eye.m", eye},
        {"torch.ops.aten.prelu.default", prelu},
        {"torch.ops.aten._prelu_kernel.default", prelu},
        {"torch.ops.aten.pow.Scalar", powerOfNumber},
    };
    return forms;
}

}  // namespace qs::core::exported
