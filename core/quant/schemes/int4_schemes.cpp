#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/nibbles.h"
#include "core/quant/schemes/quantized_weight.h"

// int4, round to nearest in groups of a row, asymmetric with the zero point in floats, as torchao's
// tinygemm algorithm: scale = max((max - min) / 15, smallest normal), zero = min + 8 · scale,
// code = clamp(round((w - (zero - 8 · scale)) / scale), 0, 15), all in the working type with its
// rounding after each operation. Two codes to a byte, the even column in the upper half.
namespace qs::core {

namespace {

constexpr double kGroupLevels = 15.0;
// The smallest normal number.
double smallest(DType type)
{
    return type == DType::Float16 ? 0x1p-14 : 0x1p-126;
}

std::vector<StoredPart> storedInt4(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    const TensorType perGroup{workingTypeOf(scheme), {out, groupsOf(scheme, in)}};
    return {{"codes", {DType::UInt8, {out, in / 2}}}, {"scale", perGroup}, {"zero", perGroup}};
}

struct Groups {
    ValueId codes;  // [out, columns], numbers of the working type
    ValueId scale;  // [out, groups]
    ValueId zero;
};

// Columns of which the group size is a divisor.
Groups quantizeGroups(GraphBuilder& b, ValueId weight, std::int64_t group)
{
    const std::vector<std::int64_t> shape = b.shape(weight);
    const std::int64_t groups = shape[1] / group;
    const ValueId grouped = b.view(weight, {shape[0], groups, group});
    const ValueId least = b.minimum(grouped, {-1});
    const ValueId range = b.binary("sub", b.maximum(grouped, {-1}), least);
    const ValueId scale =
        b.clampMin(b.scalar("div", range, kGroupLevels), smallest(b.type(weight).dtype));
    const ValueId zero = b.binary("add", least, b.scalar("mul", scale, kMiddleNibble));
    const ValueId low = b.binary("sub", zero, b.scalar("mul", scale, kMiddleNibble));
    const ValueId steps = b.binary("div", b.binary("sub", grouped, low), scale);
    const ValueId codes = b.clamp(b.unary("round", steps), 0.0, kGroupLevels);
    const ValueId perGroup = b.view(scale, {shape[0], groups});
    return {codes, perGroup, b.view(zero, {shape[0], groups})};
}

std::vector<ValueId> quantizeInt4(const Scheme& scheme, GraphBuilder& b, const WeightParts& parts)
{
    const std::int64_t group = scheme.whole("group");
    const std::int64_t out = b.shape(parts.weight)[0];
    const std::int64_t in = b.shape(parts.weight)[1];
    const std::int64_t whole = in - in % group;
    if (whole == in) {
        const Groups all = quantizeGroups(b, parts.weight, group);
        return {packNibbles(b, all.codes), all.scale, all.zero};
    }
    // The last group is shorter.
    const ValueId last = b.contiguous(b.slice(parts.weight, 1, whole, in));
    const Groups tail = quantizeGroups(b, last, in - whole);
    if (whole == 0)
        return {packNibbles(b, tail.codes), tail.scale, tail.zero};
    const ValueId first = b.contiguous(b.slice(parts.weight, 1, 0, whole));
    const Groups head = quantizeGroups(b, first, group);
    const ValueId headCodes = b.view(head.codes, {out, whole});
    const ValueId tailCodes = b.view(tail.codes, {out, in - whole});
    const ValueId bytes = packNibbles(b, b.concatenate({headCodes, tailCodes}, 1));
    const ValueId scale = b.concatenate({head.scale, tail.scale}, 1);
    return {bytes, scale, b.concatenate({head.zero, tail.zero}, 1)};
}

// (code - 8) · scale + zero of groups that divide the columns, rounded after each operation.
ValueId widen(GraphBuilder& b, ValueId codes, ValueId scale, ValueId zero)
{
    const std::int64_t out = b.shape(codes)[0];
    const std::int64_t in = b.shape(codes)[1];
    const std::int64_t groups = b.shape(scale)[1];
    const ValueId grouped = b.view(codes, {out, groups, in / groups});
    const ValueId perGroup = b.unsqueeze(scale, -1);
    const ValueId scaled = b.binary("mul", b.scalar("add", grouped, -kMiddleNibble), perGroup);
    const ValueId wide = b.binary("add", scaled, b.unsqueeze(zero, -1));
    return b.view(wide, {out, in});
}

ValueId restoreInt4(const Scheme& scheme, GraphBuilder& b, const std::vector<ValueId>& stored)
{
    const std::int64_t group = scheme.whole("group");
    const ValueId codes = unpackNibbles(b, stored[0], b.type(stored[1]).dtype);
    const std::int64_t in = b.shape(codes)[1];
    const std::int64_t whole = in - in % group;
    const std::int64_t groups = b.shape(stored[1])[1];
    const auto part = [&](ValueId tensor, std::int64_t begin, std::int64_t end) {
        return b.contiguous(b.slice(tensor, 1, begin, end));
    };
    if (whole == in || whole == 0)
        return widen(b, codes, stored[1], stored[2]);
    const ValueId headCodes = part(codes, 0, whole);
    const ValueId headScale = part(stored[1], 0, groups - 1);
    const ValueId headZero = part(stored[2], 0, groups - 1);
    const ValueId head = widen(b, headCodes, headScale, headZero);
    const ValueId tailCodes = part(codes, whole, in);
    const ValueId tailScale = part(stored[1], groups - 1, groups);
    const ValueId tailZero = part(stored[2], groups - 1, groups);
    return b.concatenate({head, widen(b, tailCodes, tailScale, tailZero)}, 1);
}

// y = linear(x, (code - 8) · scale + zero) + bias.
ValueId linearInt4(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                   const DeviceDescription&, std::vector<Note>& notes)
{
    const ValueId weight = restoreInt4(scheme, b, parts.stored);
    notes.push_back({NoteCode::ReferenceInt4});
    return multiply(scheme, b, parts, weight);
}

}  // namespace

std::vector<SchemeSpec> int4Schemes()
{
    return {{.name = "int4wo",
             .description = "4-bit integer weights, rounded to nearest, with a scale and a zero "
                            "point per group of a row; products with bfloat16 activations; for a "
                            "quarter of the memory of weights without calibration, at a visible "
                            "loss",
             .parameters = {groupParameter("Group size: weights of a row that share a scale and a "
                                           "zero point"),
                            tailParameter(), restParameter()},
             .outside = "bf16",
             .tone = 10,
             .stored = storedInt4,
             .alignment = groupAlignment,
             .quantizeWeight = quantizeInt4,
             .restoreWeight = restoreInt4,
             .linear = linearInt4}};
}

}  // namespace qs::core
