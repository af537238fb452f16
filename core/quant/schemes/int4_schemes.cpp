#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/quantized_weight.h"

// int4, round to nearest in groups of a row, asymmetric with the zero point in floats, as torchao's
// tinygemm algorithm: scale = max((max - min) / 15, smallest normal), zero = min + 8 · scale,
// code = clamp(round((w - (zero - 8 · scale)) / scale), 0, 15), all in the working type with its
// rounding after each operation. Two codes to a byte, the even column in the upper half.
namespace qs::core {

namespace {

constexpr double kLevels = 15.0;
constexpr double kMiddle = 8.0;
constexpr double kCodesPerByte = 16.0;
constexpr double kSmallestNormal = 0x1p-126;  // of bfloat16

std::vector<StoredPart> stored(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    const TensorType perGroup{scheme->workingType, {out, in / scheme.whole("group")}};
    return {{"codes", {DType::UInt8, {out, in / 2}}}, {"scale", perGroup}, {"zero", perGroup}};
}

// codes [out, groups, group] as numbers of the working type -> bytes [out, in / 2].
ValueId pack(GraphBuilder& b, ValueId codes)
{
    const std::int64_t out = b.shape(codes)[0];
    const ValueId pairs = b.view(codes, {out, b.type(codes).elementCount() / out / 2, 2});
    const ValueId upper = b.scalar("mul", b.select(pairs, -1, 0), kCodesPerByte);
    return b.cast(b.binary("add", upper, b.select(pairs, -1, 1)), DType::UInt8);
}

// The inverse of pack, as [out, groups, group] in that type.
ValueId unpack(GraphBuilder& b, ValueId bytes, std::int64_t group, DType type)
{
    const std::int64_t out = b.shape(bytes)[0];
    const std::int64_t in = 2 * b.shape(bytes)[1];
    const ValueId upper = b.bitwise("bitwise_right_shift.Tensor_Scalar", bytes, 4);
    const ValueId lower = b.bitwise("bitwise_and.Scalar", bytes, 15);
    const ValueId codes = b.cast(b.stack({upper, lower}, -1), type);
    return b.view(codes, {out, in / group, group});
}

std::vector<ValueId> quantizeWeight(const Scheme& scheme, GraphBuilder& b, ValueId weight)
{
    const std::int64_t out = b.shape(weight)[0];
    const std::int64_t groups = b.shape(weight)[1] / scheme.whole("group");
    const ValueId grouped = b.view(weight, {out, groups, scheme.whole("group")});
    const ValueId least = b.minimum(grouped, {-1});
    const ValueId range = b.binary("sub", b.maximum(grouped, {-1}), least);
    const ValueId scale = b.clampMin(b.scalar("div", range, kLevels), kSmallestNormal);
    const ValueId zero = b.binary("add", least, b.scalar("mul", scale, kMiddle));
    const ValueId low = b.binary("sub", zero, b.scalar("mul", scale, kMiddle));
    const ValueId steps = b.binary("div", b.binary("sub", grouped, low), scale);
    const ValueId codes = b.clamp(b.unary("round", steps), 0.0, kLevels);
    const ValueId bytes = pack(b, codes);
    const ValueId perGroup = b.view(scale, {out, groups});
    return {bytes, perGroup, b.view(zero, {out, groups})};
}

// y = linear(x, (code - 8) · scale + zero) + bias, rounded after each operation.
ValueId linear(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
               const DeviceDescription&, std::vector<Note>& notes)
{
    const std::int64_t group = scheme.whole("group");
    const ValueId codes = unpack(b, parts.stored[0], group, b.type(parts.x).dtype);
    const ValueId scale = b.unsqueeze(parts.stored[1], -1);
    const ValueId scaled = b.binary("mul", b.scalar("add", codes, -kMiddle), scale);
    const ValueId wide = b.binary("add", scaled, b.unsqueeze(parts.stored[2], -1));
    const ValueId weight = b.view(wide, {b.shape(wide)[0], b.shape(wide)[1] * group});
    notes.push_back({NoteCode::ReferenceInt4});
    return addBias(b, b.linear(parts.x, weight), parts.bias);
}

}  // namespace

std::vector<SchemeSpec> int4Schemes()
{
    Parameter group{
        .name = "group",
        .description = "Group size: weights of a row that share a scale and a zero point",
        .fallback = std::int64_t{128},
        .choices = {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}, std::int64_t{256}},
        .inName = true};
    return {{.name = "int4wo",
             .description = "4-bit integer weights, rounded to nearest in groups of a row, "
                            "bfloat16 activations",
             .parameters = {group},
             .outside = "bf16",
             .tone = 10,
             .stored = stored,
             .alignment =
                 [](const Scheme& scheme) {
                     return Alignment{scheme.whole("group"), 1};
                 },
             .quantizeWeight = quantizeWeight,
             .linear = linear}};
}

}  // namespace qs::core
