#include "core/graph/layer_operations.h"

#include <string>
#include <utility>

namespace qs::core {

namespace {

using List = std::vector<std::int64_t>;

}  // namespace

ValueId conv2d(GraphBuilder& builder, ValueId x, ValueId weight, ValueId bias,
               const Convolution& options)
{
    std::vector<NamedArgument> arguments{{"input", ValueRef{x}}, {"weight", ValueRef{weight}}};
    if (bias >= 0)
        arguments.push_back({"bias", ValueRef{bias}});
    arguments.push_back({"stride", List(2, options.stride)});
    arguments.push_back({"padding", List(2, options.padding)});
    arguments.push_back({"dilation", List(2, options.dilation)});
    arguments.push_back({"groups", options.groups});
    return builder.call1("aten::conv2d", std::move(arguments));
}

ValueId batchNorm(GraphBuilder& builder, ValueId x, const BatchNormWeights& weights, double epsilon)
{
    return builder.call1("aten::batch_norm", {{"input", ValueRef{x}},
                                              {"weight", ValueRef{weights.weight}},
                                              {"bias", ValueRef{weights.bias}},
                                              {"running_mean", ValueRef{weights.mean}},
                                              {"running_var", ValueRef{weights.variance}},
                                              {"training", false},
                                              {"momentum", 0.1},
                                              {"eps", epsilon},
                                              {"cudnn_enabled", true}});
}

ValueId maxPool2d(GraphBuilder& builder, ValueId x, std::int64_t kernel, std::int64_t stride,
                  std::int64_t padding)
{
    return builder.call1("aten::max_pool2d", {{"self", ValueRef{x}},
                                              {"kernel_size", List(2, kernel)},
                                              {"stride", List(2, stride)},
                                              {"padding", List(2, padding)}});
}

ValueId adaptiveAveragePool2d(GraphBuilder& builder, ValueId x, std::int64_t size)
{
    return builder.call1("aten::adaptive_avg_pool2d",
                         {{"self", ValueRef{x}}, {"output_size", List(2, size)}});
}

ValueId embedding(GraphBuilder& builder, ValueId weight, ValueId indices)
{
    return builder.call1("aten::embedding",
                         {{"weight", ValueRef{weight}}, {"indices", ValueRef{indices}}});
}

ValueId gelu(GraphBuilder& builder, ValueId x, std::string_view approximate)
{
    return builder.call1("aten::gelu",
                         {{"self", ValueRef{x}}, {"approximate", std::string(approximate)}});
}

ValueId softmax(GraphBuilder& builder, ValueId x, std::int64_t dimension)
{
    return builder.call1("aten::softmax.int", {{"self", ValueRef{x}}, {"dim", dimension}});
}

ValueId matmul(GraphBuilder& builder, ValueId a, ValueId b)
{
    return builder.call1("aten::matmul", {{"self", ValueRef{a}}, {"other", ValueRef{b}}});
}

ValueId attention(GraphBuilder& builder, ValueId query, ValueId key, ValueId value,
                  const AttentionOptions& options)
{
    std::vector<NamedArgument> arguments{
        {"query", ValueRef{query}}, {"key", ValueRef{key}}, {"value", ValueRef{value}}};
    if (options.mask >= 0)
        arguments.push_back({"attn_mask", ValueRef{options.mask}});
    if (options.causal)
        arguments.push_back({"is_causal", true});
    if (options.scale)
        arguments.push_back({"scale", *options.scale});
    if (options.grouped)
        arguments.push_back({"enable_gqa", true});
    return builder.call1("aten::scaled_dot_product_attention", std::move(arguments));
}

ValueId permute(GraphBuilder& builder, ValueId x, std::vector<std::int64_t> order)
{
    return builder.call1("aten::permute", {{"self", ValueRef{x}}, {"dims", std::move(order)}});
}

ValueId expand(GraphBuilder& builder, ValueId x, std::vector<std::int64_t> size)
{
    return builder.call1("aten::expand", {{"self", ValueRef{x}}, {"size", std::move(size)}});
}

ValueId indexSelect(GraphBuilder& builder, ValueId x, std::int64_t dimension, ValueId index)
{
    return builder.call1("aten::index_select",
                         {{"self", ValueRef{x}}, {"dim", dimension}, {"index", ValueRef{index}}});
}

ValueId argmax(GraphBuilder& builder, ValueId x, std::int64_t dimension)
{
    return builder.call1("aten::argmax", {{"self", ValueRef{x}}, {"dim", dimension}});
}

ValueId arange(GraphBuilder& builder, std::int64_t count)
{
    return builder.call1("aten::arange", {{"end", count}});
}

ValueId compare(GraphBuilder& builder, std::string_view operation, ValueId a, ValueId b)
{
    return builder.call1("aten::" + std::string(operation) + ".Tensor",
                         {{"self", ValueRef{a}}, {"other", ValueRef{b}}});
}

ValueId indexCopyInPlace(GraphBuilder& builder, ValueId target, std::int64_t dimension,
                         ValueId index, ValueId source)
{
    return builder.call1("aten::index_copy_", {{"self", ValueRef{target}},
                                               {"dim", dimension},
                                               {"index", ValueRef{index}},
                                               {"source", ValueRef{source}}});
}

ValueId copyInPlace(GraphBuilder& builder, ValueId target, ValueId source)
{
    return builder.call1("aten::copy_", {{"self", ValueRef{target}}, {"src", ValueRef{source}}});
}

ValueId fillInPlace(GraphBuilder& builder, ValueId target, std::int64_t number)
{
    return builder.call1("aten::fill_.Scalar", {{"self", ValueRef{target}}, {"value", number}});
}

}  // namespace qs::core
