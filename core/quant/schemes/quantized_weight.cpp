#include "core/quant/schemes/quantized_weight.h"

namespace qs::core {

std::vector<StoredPart> codesWithRowScales(DType codes, std::int64_t out, std::int64_t in)
{
    return {{"codes", {codes, {out, in}}}, {"scale", {DType::Float32, {out, 1}}}};
}

ValueId addBias(GraphBuilder& builder, ValueId y, ValueId bias)
{
    return bias < 0 ? y : builder.binary("add", y, bias);
}

}  // namespace qs::core
