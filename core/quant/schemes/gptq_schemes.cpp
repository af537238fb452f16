#include "core/quant/calibration.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/schemes/built_in.h"
#include "core/quant/schemes/nibbles.h"
#include "core/quant/schemes/quantized_weight.h"

#include "core/graph/layer_operations.h"

#include <string>

// int4 by GPTQ: symmetric codes -8 … 7 with a scale per group of a row, largest magnitude / 7.5;
// the engine's solver "gptq" chooses the codes. Stored as code + 8, two to a byte, and with
// order=group the group of each column.
namespace qs::core {

namespace {

constexpr std::int64_t kGptqSamples = 32;

bool groupsAreOrdered(const Scheme& scheme)
{
    return scheme.word("order") == "group";
}

std::vector<StoredPart> storedGptq(const Scheme& scheme, std::int64_t out, std::int64_t in)
{
    std::vector<StoredPart> parts{{"codes", {DType::UInt8, {out, in / 2}}},
                                  {"scale", {workingTypeOf(scheme), {out, groupsOf(scheme, in)}}}};
    if (groupsAreOrdered(scheme))
        parts.push_back({"group", {DType::Int32, {in}}});
    return parts;
}

// The scales [out, groups] of the columns, [out, in].
ValueId scalesOfColumns(const Scheme& scheme, GraphBuilder& b, const std::vector<ValueId>& parts,
                        std::int64_t in)
{
    if (groupsAreOrdered(scheme))
        return indexSelect(b, parts[1], 1, parts[2]);
    const std::int64_t group = scheme.whole("group");
    const std::int64_t out = b.shape(parts[1])[0];
    const std::int64_t groups = b.shape(parts[1])[1];
    const ValueId repeated = expand(b, b.unsqueeze(parts[1], -1), {out, groups, group});
    const ValueId columns = b.reshape(repeated, {out, groups * group});
    return groups * group == in ? columns : b.slice(columns, 1, 0, in);
}

// (code - 8) · scale, rounded after each operation.
ValueId restoreGptq(const Scheme& scheme, GraphBuilder& b, const std::vector<ValueId>& stored)
{
    const ValueId codes = unpackNibbles(b, stored[0], b.type(stored[1]).dtype);
    const ValueId scale = scalesOfColumns(scheme, b, stored, b.shape(codes)[1]);
    return b.binary("mul", b.scalar("add", codes, -kMiddleNibble), scale);
}

// y = linear(x, weight) + bias.
ValueId linearGptq(const Scheme& scheme, GraphBuilder& b, const LayerParts& parts,
                   const DeviceDescription&, std::vector<Note>& notes)
{
    const ValueId weight = restoreGptq(scheme, b, parts.stored);
    notes.push_back({NoteCode::ReferenceInt4});
    return multiply(scheme, b, parts, weight);
}

std::vector<Parameter> gptqParameters()
{
    std::vector<Parameter> all{
        groupParameter("Group size: weights of a row that share a scale"),
        {.name = "order",
         .description = "Columns one after the other, by falling second moment with groups as they "
                        "lie (static), or with groups in that order too",
         .fallback = std::string("static"),
         .choices = {std::string("none"), std::string("static"), std::string("group")}},
        {.name = "damp",
         .description = "What is added to the diagonal of the second moments, times its mean",
         .fallback = 0.01,
         .lowest = 0.0,
         .highest = 1.0},
        {.name = "block",
         .description = "Columns that are solved before the rest is updated; changes no code",
         .fallback = std::int64_t{128},
         .lowest = 1.0,
         .highest = 65536.0},
        tailParameter(),
        restParameter(),
        {.name = "by",
         .description = "How a block is solved: by rank-one updates in place, straight as "
                        "llm-compressor writes it, by a program that Inductor compiled, or by a "
                        "kernel of QuantScope that takes a block at once; changes no code",
         .fallback = std::string("improved"),
         .choices = {std::string("improved"), std::string("straight"), std::string("compiled"),
                     std::string("kernel")}}};
    for (const Parameter& each : calibrationParameters(kGptqSamples))
        all.push_back(each);
    return all;
}

}  // namespace

std::vector<SchemeSpec> gptqSchemes()
{
    return {{.name = "gptq-int4",
             .description = "4-bit integer weights with a scale per group of a row, solved layer "
                            "after layer to keep the outputs on calibration samples (GPTQ); "
                            "products with bfloat16 activations; for a quarter of the memory of "
                            "weights with less loss than int4wo, if quantizing may take minutes",
             .parameters = gptqParameters(),
             .outside = "bf16",
             .tone = 11,
             .stored = storedGptq,
             .alignment = groupAlignment,
             .statistic = Statistic::SecondMoments,
             .solver = "gptq",
             .restoreWeight = restoreGptq,
             .linear = linearGptq}};
}

}  // namespace qs::core
