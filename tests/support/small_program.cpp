#include "tests/support/small_program.h"

#include "core/graph/builder.h"
#include "core/graph/exported/program_writer.h"
#include "core/graph/layer_operations.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace qs::tests {

namespace {

using core::DType;
using core::GraphBuilder;
using core::ModuleScope;
using core::ValueId;

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kPixels = 3 * kSide * kSide;
constexpr std::int64_t kWidth = 16;

// Small numbers of both signs, others for each weight.
core::Status giveWeight(const core::Value& weight, const core::TextSink& sink)
{
    std::vector<float> values(static_cast<std::size_t>(weight.type.elementCount()));
    std::uint32_t state = static_cast<std::uint32_t>(std::hash<std::string>()(weight.name));
    for (float& value : values) {
        state = state * 1664525U + 1013904223U;
        value = (static_cast<float>(state >> 8U) / 16777216.0F - 0.5F) * 0.2F;
    }
    return sink({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

ValueId linear(GraphBuilder& b, ValueId x, const std::string& name, std::int64_t outputs)
{
    const ModuleScope scope(b, name);
    return b.linear(x, b.weight(name + ".weight", {DType::Float32, {outputs, b.shape(x).back()}}));
}

}  // namespace

void writeSmallProgram(const std::filesystem::path& path, std::int64_t batch)
{
    GraphBuilder b;
    const ValueId image = b.input("image", {DType::Float32, {batch, 3, kSide, kSide}});
    const ValueId ids = b.input("ids", {DType::Int64, {batch, 4}});
    const ValueId noise = b.input("noise", {DType::Float32, {batch, kWidth}});
    const ValueId code = linear(b, b.reshape(image, {batch, kPixels}), "encoder", kWidth);
    const ValueId table =
        b.weight("encoder_tokens.weight", {DType::Float32, {kSmallVocabulary, kWidth}});
    const ValueId words = core::embedding(b, table, ids);
    const ValueId mixed = b.binary("add", b.binary("add", code, noise),
                                   b.reshape(b.mean(words, {1}), {batch, kWidth}));
    const ValueId change = linear(b, mixed, "decoder", kPixels);
    b.output(b.binary("add", image, b.reshape(change, {batch, 3, kSide, kSide})), "restored");
    b.output(linear(b, mixed, "head", 10), "scores");
    const auto graph = b.finish();
    const core::Status written =
        graph.ok() ? core::writeExportedProgram({graph.value(), "cpu", giveWeight}, path)
                   : core::Status(graph.error());
    if (!written.ok()) {
        std::fprintf(stderr, "small program: %s\n", written.error().message.c_str());
        std::abort();
    }
}

}  // namespace qs::tests
