#include "core/quant/schemes/nibbles.h"

#include <string>

namespace qs::core {

namespace {

constexpr double kCodesPerByte = 16.0;

}  // namespace

ValueId packNibbles(GraphBuilder& b, ValueId codes)
{
    const std::int64_t out = b.shape(codes)[0];
    const ValueId pairs = b.view(codes, {out, b.type(codes).elementCount() / out / 2, 2});
    const ValueId upper = b.scalar("mul", b.select(pairs, -1, 0), kCodesPerByte);
    return b.cast(b.binary("add", upper, b.select(pairs, -1, 1)), DType::UInt8);
}

ValueId unpackNibbles(GraphBuilder& b, ValueId bytes, DType type)
{
    const std::int64_t out = b.shape(bytes)[0];
    const std::int64_t in = 2 * b.shape(bytes)[1];
    const ValueId upper = b.bitwise("bitwise_right_shift.Tensor_Scalar", bytes, 4);
    const ValueId lower = b.bitwise("bitwise_and.Scalar", bytes, 15);
    const ValueId codes = b.cast(b.stack({upper, lower}, -1), type);
    return b.view(codes, {out, in});
}

Parameter groupParameter(const char* description)
{
    return {.name = "group",
            .description = description,
            .fallback = std::int64_t{128},
            .choices = {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}, std::int64_t{256}},
            .inName = true};
}

Parameter tailParameter()
{
    return {.name = "tail",
            .description = "1: where the group does not divide the input features, the last group "
                           "of a row is shorter; 0: such layers stay as they are",
            .fallback = std::int64_t{0},
            .choices = {std::int64_t{0}, std::int64_t{1}}};
}

std::int64_t groupsOf(const Scheme& scheme, std::int64_t in)
{
    const std::int64_t group = scheme.whole("group");
    return (in + group - 1) / group;
}

Alignment groupAlignment(const Scheme& scheme)
{
    // Two codes share a byte.
    return {scheme.whole("tail") == 1 ? 2 : scheme.whole("group"), 1};
}

}  // namespace qs::core
