#include "core/quant/schemes/quantized_weight.h"

#include "core/quant/rest_of_model.h"

#include <string>
#include <utility>

namespace qs::core {

std::vector<StoredPart> codesWithRowScales(DType codes, std::int64_t out, std::int64_t in)
{
    return {{"codes", {codes, {out, in}}}, {"scale", {DType::Float32, {out, 1}}}};
}

ValueId scaledCodes(const Scheme&, GraphBuilder& b, const std::vector<ValueId>& stored)
{
    return b.binary("mul", b.cast(stored[0], DType::Float32), stored[1]);
}

Parameter roundingParameter(const char* fallback)
{
    return {.name = "by",
            .description = "Quantized values by division, or by a product with the reciprocal of "
                           "the scale",
            .fallback = std::string(fallback),
            .choices = {std::string("reciprocal"), std::string("division")}};
}

bool divides(const Scheme& scheme)
{
    return scheme.word("by") == "division";
}

ValueId convolve(const Scheme& scheme, GraphBuilder& builder, const ConvolutionParts& parts,
                 ValueId weight)
{
    const DType type = productTypeOf(scheme);
    std::vector<NamedArgument> arguments;
    arguments.push_back({"input", ValueRef{builder.cast(parts.x, type)}});
    arguments.push_back({"weight", ValueRef{builder.cast(weight, type)}});
    if (parts.bias >= 0)
        arguments.push_back({"bias", ValueRef{builder.cast(parts.bias, type)}});
    arguments.insert(arguments.end(), parts.options.begin(), parts.options.end());
    const ValueId y = builder.call1("aten::conv2d", std::move(arguments));
    return builder.cast(y, builder.type(parts.x).dtype);
}

ValueId multiply(const Scheme& scheme, GraphBuilder& builder, const LayerParts& parts,
                 ValueId weight)
{
    const DType type = productTypeOf(scheme);
    const ValueId x = builder.cast(parts.x, type);
    const ValueId product = builder.linear(x, builder.cast(weight, type));
    return addBias(builder, builder.cast(product, builder.type(parts.x).dtype), parts.bias);
}

ValueId addBias(GraphBuilder& builder, ValueId y, ValueId bias)
{
    return bias < 0 ? y : builder.binary("add", y, bias);
}

}  // namespace qs::core
