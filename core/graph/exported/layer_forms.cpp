#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/operation_forms.h"

#include <algorithm>

namespace qs::core::exported {

namespace {

using List = std::vector<std::int64_t>;

// The transpose of a weight waits until it is known who reads it.
Status transpose(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const ValueId self = call.tensor("self");
    const List order = call.list("dims");
    const bool swaps = node.target == "torch.ops.aten.t.default" ||
                       (order == List{1, 0} || order == List{-1, 0} || order == List{1, -2}) ||
                       (node.target == "torch.ops.aten.transpose.int" &&
                        (call.whole("dim0", 0) + 2) % 2 != (call.whole("dim1", 0) + 2) % 2);
    if (self >= 0 && graph.isWeight(self) && graph.builder().shape(self).size() == 2 && swaps) {
        graph.bindTransposed(node, self);
        return {};
    }
    return graph.bindCall(node, catalogueName(node.target), std::move(call));
}

// input · weightᵀ + bias
Status linear(Concretizer& graph, const ProgramNode& node, ConcreteCall call,
              const std::string& input, ValueId weight, ValueId bias)
{
    ConcreteCall layer;
    layer.set("input", *call.find(input));
    layer.set("weight", ValueRef{weight});
    if (bias >= 0)
        layer.set("bias", ValueRef{bias});
    return graph.bindCall(node, "aten::linear", std::move(layer));
}

Status product(Concretizer& graph, const ProgramNode& node, const std::string& factor)
{
    QS_TRY(ConcreteCall call, graph.resolve(node, true));
    const auto weight = call.transposed.find(factor);
    const bool ofBatches = node.target == "torch.ops.aten.bmm.default";
    if (weight != call.transposed.end() && call.transposed.size() == 1 &&
        call.repeated.contains(factor) == ofBatches &&
        !graph.builder().shape(call.tensor("self")).empty())
        return linear(graph, node, call, "self", weight->second, -1);
    QS_TRY(ConcreteCall plain, graph.resolve(node));
    return graph.bindCall(node, catalogueName(node.target), std::move(plain));
}

// A weight that is repeated for each sample, as decompositions of Linears with three dimensions do
// before a product of batches; no copy is made until somebody else reads it.
Status repeated(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node, true));
    const auto weight = call.transposed.find("self");
    const List size = call.list("size");
    if (weight != call.transposed.end() && size.size() == 3 && size[0] > 0) {
        const auto& shape = graph.builder().shape(weight->second);
        if (size[1] == shape[1] && size[2] == shape[0]) {
            graph.bindTransposed(node, weight->second, size[0]);
            return {};
        }
    }
    QS_TRY(ConcreteCall plain, graph.resolve(node));
    return graph.bindCall(node, catalogueName(node.target), std::move(plain));
}

Status matrixProduct(Concretizer& graph, const ProgramNode& node)
{
    return product(graph, node, "mat2");
}

Status matmul(Concretizer& graph, const ProgramNode& node)
{
    return product(graph, node, "other");
}

Status addedProduct(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node, true));
    const auto weight = call.transposed.find("mat2");
    const auto isOne = [&](const char* name) {
        const auto factor = call.number(name);
        return !factor || realOf(*factor) == 1.0;
    };
    const ValueId bias = call.tensor("self");
    if (weight != call.transposed.end() && call.transposed.size() == 1 && isOne("alpha") &&
        isOne("beta") && bias >= 0 && graph.builder().shape(bias).size() == 1)
        return linear(graph, node, call, "mat1", weight->second, bias);
    QS_TRY(ConcreteCall plain, graph.resolve(node));
    return graph.bindCall(node, "aten::addmm", std::move(plain));
}

// One row of pixels, where there is one dimension of them.
ValueId withRow(Concretizer& graph, ValueId value)
{
    ConcreteCall call;
    call.set("self", ValueRef{value});
    call.set("dim", std::int64_t{-2});
    const auto results = graph.emit("aten::unsqueeze", std::move(call));
    return results.empty() ? 0 : results.front();
}

void widen(ConcreteCall& call, std::initializer_list<const char*> names, std::int64_t fill)
{
    for (const char* name : names) {
        const List list = call.list(name);
        if (!list.empty())
            call.set(name, List{fill, list.front()});
    }
}

// An operation of one dimension as that of two with one row.
Status inOneRow(Concretizer& graph, const ProgramNode& node, const std::string& operation,
                const char* input, ConcreteCall call)
{
    call.set(input, ValueRef{withRow(graph, call.tensor(input))});
    const auto results = graph.emit(operation, std::move(call));
    if (results.empty())
        return {};
    ConcreteCall squeeze;
    squeeze.set("self", ValueRef{results.front()});
    squeeze.set("dim", std::int64_t{-2});
    return graph.bindCall(node, "aten::squeeze.dim", std::move(squeeze));
}

Status convolution1d(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    widen(call, {"stride", "dilation"}, 1);
    widen(call, {"padding"}, 0);
    call.set("weight", ValueRef{withRow(graph, call.tensor("weight"))});
    return inOneRow(graph, node, "aten::conv2d", "input", std::move(call));
}

Status pool1d(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    std::string name = catalogueName(node.target);
    name.replace(name.find("1d"), 2, "2d");
    widen(call, {"kernel_size", "stride", "dilation", "output_size"}, 1);
    widen(call, {"padding"}, 0);
    return inOneRow(graph, node, name, "self", std::move(call));
}

// The general convolution where it is one of images.
Status convolution(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    if (call.flag("transposed") || graph.builder().shape(call.tensor("weight")).size() != 4)
        return graph.bindCall(node, "aten::convolution", std::move(call));
    call.remove("transposed");
    call.remove("output_padding");
    return graph.bindCall(node, "aten::conv2d", std::move(call));
}

// padding="same" and "valid".
Status paddedConvolution(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const Argument* given = call.find("padding");
    const auto* word = given == nullptr ? nullptr : std::get_if<std::string>(given);
    const bool same = word != nullptr && *word == "same";
    const auto& kernel = graph.builder().shape(call.tensor("weight"));
    List dilation = call.list("dilation");
    dilation.resize(2, dilation.empty() ? 1 : dilation.front());
    List padding{0, 0};
    List extra;  // of the last dimension first
    for (std::size_t i = 2; same && kernel.size() == 4 && i-- > 0;) {
        const std::int64_t all = dilation[i] * (kernel[i + 2] - 1);
        padding[i] = all / 2;
        extra.insert(extra.end(), {0, all % 2});
    }
    call.set("padding", padding);
    if (std::any_of(extra.begin(), extra.end(), [](std::int64_t each) { return each != 0; })) {
        ConcreteCall pad;
        pad.set("self", *call.find("input"));
        pad.set("pad", extra);
        const auto padded = graph.emit("aten::constant_pad_nd", std::move(pad));
        if (!padded.empty())
            call.set("input", ValueRef{padded.front()});
    }
    return graph.bindCall(node, "aten::conv2d", std::move(call));
}

// Operations that also give what only a backward pass reads: of those the first result alone.
Status firstOf(Concretizer& graph, const ProgramNode& node, const std::string& operation,
               ConcreteCall call)
{
    const auto results = graph.emit(operation, std::move(call));
    if (!results.empty())
        graph.bind(node, std::vector<ValueId>{results.front()});
    return {};
}

Status nativeLayerNorm(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    return firstOf(graph, node, "aten::layer_norm", std::move(call));
}

Status nativeGroupNorm(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    ConcreteCall norm;
    norm.set("input", *call.find("input"));
    norm.set("num_groups", call.whole("group", 1));
    for (const char* name : {"weight", "bias", "eps"}) {
        if (const Argument* given = call.find(name))
            norm.set(name, *given);
    }
    return firstOf(graph, node, "aten::group_norm", std::move(norm));
}

Status maxPoolWithIndices(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    return firstOf(graph, node, "aten::max_pool2d", std::move(call));
}

Status adaptiveAveragePool(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    return graph.bindCall(node, "aten::adaptive_avg_pool2d", std::move(call));
}

// The kernels of a device that a decomposed export names.
Status attentionKernel(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(const ConcreteCall call, graph.resolve(node));
    ConcreteCall attention;
    for (const char* name : {"query", "key", "value", "attn_mask", "is_causal", "scale"}) {
        if (const Argument* given = call.find(name))
            attention.set(name, *given);
    }
    if (const Argument* bias = call.find("attn_bias"))
        attention.set("attn_mask", *bias);
    return firstOf(graph, node, "aten::scaled_dot_product_attention", std::move(attention));
}

Status attention(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    const auto dropout = call.number("dropout_p");
    if (dropout && realOf(*dropout) != 0.0)
        return Error{ErrorCode::Unsupported,
                     "drops values at random: call model.eval() before torch.export.export"};
    return graph.bindCall(node, "aten::scaled_dot_product_attention", std::move(call));
}

Status batchNorm(Concretizer& graph, const ProgramNode& node)
{
    QS_TRY(ConcreteCall call, graph.resolve(node));
    if (call.flag("training"))
        return Error{ErrorCode::Unsupported,
                     "learns statistics: call model.eval() before torch.export.export"};
    return graph.bindCall(node, "aten::batch_norm", std::move(call));
}

}  // namespace

const FormTable& layerForms()
{
    static const FormTable forms{
        {"torch.ops.aten.t.default", transpose},
        {"torch.ops.aten.permute.default", transpose},
        {"torch.ops.aten.transpose.int", transpose},
        {"torch.ops.aten.expand.default", repeated},
        {"torch.ops.aten.view.default", repeated},
        {"torch.ops.aten.mm.default", matrixProduct},
        {"torch.ops.aten.bmm.default", matrixProduct},
        {"torch.ops.aten.matmul.default", matmul},
        {"torch.ops.aten.addmm.default", addedProduct},
        {"torch.ops.aten.conv1d.default", convolution1d},
        {"torch.ops.aten.conv2d.padding", paddedConvolution},
        {"torch.ops.aten.convolution.default", convolution},
        {"torch.ops.aten.avg_pool1d.default", pool1d},
        {"torch.ops.aten.max_pool1d.default", pool1d},
        {"torch.ops.aten.adaptive_avg_pool1d.default", pool1d},
        {"torch.ops.aten.max_pool2d_with_indices.default", maxPoolWithIndices},
        {"torch.ops.aten._adaptive_avg_pool2d.default", adaptiveAveragePool},
        {"torch.ops.aten.native_layer_norm.default", nativeLayerNorm},
        {"torch.ops.aten.native_group_norm.default", nativeGroupNorm},
        {"torch.ops.aten.batch_norm.default", batchNorm},
        {"torch.ops.aten.scaled_dot_product_attention.default", attention},
        {"torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default", attentionKernel},
        {"torch.ops.aten._scaled_dot_product_flash_attention.default", attentionKernel},
        {"torch.ops.aten._scaled_dot_product_efficient_attention.default", attentionKernel},
        {"torch.ops.aten._scaled_dot_product_cudnn_attention.default", attentionKernel},
    };
    return forms;
}

}  // namespace qs::core::exported
