// Sizes of checkpoints of whole language models, by writing them: to a sink that counts, of weights
// that take no memory.

#include "core/engine/internal/torch_types.h"
#include "core/engine/quantize/checkpoint_check.h"
#include "core/graph/exported/exported_archive.h"
#include "core/model/catalogue.h"
#include "core/model/safetensors/part_sizes.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

namespace qs::engine {
namespace {

struct Published {
    const char* model;
    std::uint64_t tensorBytes;  // of the artifact, see "W4A16" in the reference
    double mebibytes;

    friend void PrintTo(const Published& each, std::ostream* stream) { *stream << each.model; }
};

// Zeros of this type without memory of their own: every element is the same one.
at::Tensor zerosOf(const core::TensorType& type)
{
    return at::zeros({1}, toTorch(type.dtype)).expand(type.shape);
}

std::vector<StageWeights> weightlessStages(const core::Model& model, const core::Program& program)
{
    std::vector<StageWeights> stages;
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        NamedTensors& tensors = stages.emplace_back().tensors;
        for (const core::WeightSpec& weight : model.family->stages()[stage].weights)
            tensors[weight.name] = zerosOf({program.stages[stage].workingType, weight.shape});
        for (const core::LayerRow& row : program.layers) {
            if (row.stage != stage || !row.quantized())
                continue;
            if (!row.keepsWeight)
                tensors.erase(row.weight);
            for (const core::StoredPart& part :
                 row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures))
                tensors[core::storedName(row.weight, part)] = zerosOf(part.type);
        }
    }
    return stages;
}

// A model as its worker has it when a checkpoint is written, but for weights without memory.
struct LoweredModel {
    core::Model model;
    core::Program program;
    std::vector<StageWeights> weights;
    core::DeviceDescription device = {};

    [[nodiscard]] QuantizedModel contents() const { return {model, program, weights, device}; }
};

core::Result<LoweredModel> quantized(const std::string& name, const std::string& precision)
{
    QS_TRY(core::OpenedModel opened, core::openModel(name, {}, 42));
    core::Model& model = opened.model;
    QS_TRY(const core::Recipe recipe, core::makeRecipe(*model.family, {precision}, "all"));
    const core::Sizes sizes = model.family->workload().completed({});
    QS_TRY(core::Program program, core::lower(*model.family, {recipe, {1, sizes}, {}}));
    std::vector<StageWeights> weights = weightlessStages(model, program);
    return LoweredModel{std::move(model), std::move(program), std::move(weights)};
}

class WrittenSizes : public ::testing::TestWithParam<Published>
{
};

TEST_P(WrittenSizes, AreThoseOfThePublishedCheckpoints)
{
    const c10::InferenceMode guard;
    const auto made = quantized(std::string("llama:") + GetParam().model, "gptq-int4-128");
    ASSERT_TRUE(made.ok()) << made.error().message;
    std::uint64_t counted = 0;
    const auto size =
        streamCheckpoint(made.value().contents(), core::CheckpointFormat::CompressedTensors,
                         [&](std::string_view piece) {
                             counted += piece.size();
                             return core::Status();
                         });
    ASSERT_TRUE(size.ok()) << size.error().message;
    EXPECT_EQ(size.value().fileBytes, counted);
    EXPECT_EQ(size.value().tensorBytes, GetParam().tensorBytes);
    constexpr double kMebibyte = 1024.0 * 1024.0;
    EXPECT_NEAR(static_cast<double>(size.value().tensorBytes) / kMebibyte, GetParam().mebibytes,
                0.005);
}

INSTANTIATE_TEST_SUITE_P(Published, WrittenSizes,
                         ::testing::Values(Published{"tinyllama-1.1b", 761911712, 726.62},
                                           Published{"qwen2.5-3b", 2053435328, 1958.31}));

core::Status
compareWithin(const LoweredModel& made, const std::filesystem::path& folder,
              core::CheckpointFormat format = core::CheckpointFormat::CompressedTensors)
{
    return compareCheckpoint(made.contents(), format, [&](const std::string& name) {
        return core::FilePlace(folder / name);
    });
}

// The bytes of the file are the sum of what was written; one that changes is found by its tensor.
TEST(WrittenCheckpoint, IsReadBackAndCompared)
{
    const c10::InferenceMode guard;
    const tests::TestFolder folder;
    const auto made = quantized("llama:tiny", "gptq-int4-32");
    ASSERT_TRUE(made.ok()) << made.error().message;
    const auto written = writeCheckpoint(
        made.value().contents(), core::CheckpointFormat::CompressedTensors,
        [&](const std::string& name) { return core::FilePlace(folder.path() / name); });
    ASSERT_TRUE(written.ok()) << written.error().message;
    const std::filesystem::path path = folder.path() / written.value().front().name;
    const auto same = compareWithin(made.value(), folder.path());
    EXPECT_TRUE(same.ok()) << same.error().message;

    const auto file = core::openSafetensors(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    std::uint64_t bytes = 0;
    std::int64_t tensors = 0;
    for (const auto& [name, part] : core::partSizes(file.value())) {
        bytes += part.bytes;
        tensors += part.tensors;
    }
    EXPECT_EQ(bytes, written.value().front().tensorBytes);
    EXPECT_EQ(bytes + file.value().dataStart(), written.value().front().fileBytes);
    EXPECT_EQ(written.value().front().fileBytes, std::filesystem::file_size(path));
    EXPECT_EQ(tensors, static_cast<std::int64_t>(file.value().tensors().size()));

    const core::TensorEntry& last = file.value().tensors().back();
    {
        std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(file.value().dataStart() + last.begin));
        stream.put('\x55');
    }
    const auto changed = compareWithin(made.value(), folder.path());
    ASSERT_FALSE(changed.ok());
    EXPECT_EQ(changed.error().code, core::ErrorCode::Format);
    EXPECT_NE(changed.error().message.find(last.name), std::string::npos);
}

// An archive, too, and it has as many bytes of tensors as was said.
TEST(WrittenProgram, IsReadBackAndCompared)
{
    const c10::InferenceMode guard;
    const tests::TestFolder folder;
    const auto made = quantized("llama:tiny", "gptq-int4-32");
    ASSERT_TRUE(made.ok()) << made.error().message;
    constexpr core::CheckpointFormat kFormat = core::CheckpointFormat::ExportedProgram;
    const auto written =
        writeCheckpoint(made.value().contents(), kFormat, [&](const std::string& name) {
            return core::FilePlace(folder.path() / name);
        });
    ASSERT_TRUE(written.ok()) << written.error().message;
    ASSERT_EQ(written.value().size(), made.value().program.stages.size());
    const auto same = compareWithin(made.value(), folder.path(), kFormat);
    EXPECT_TRUE(same.ok()) << same.error().message;

    const std::filesystem::path path = folder.path() / written.value().back().name;
    const auto archive = core::exported::openExportedArchive(path);
    ASSERT_TRUE(archive.ok()) << archive.error().message;
    // It goes on from states alone, which nobody could feed.
    const auto alone = core::openModel(path.string(), {}, 42);
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(alone.error().code, core::ErrorCode::Unsupported) << alone.error().message;
    std::uint64_t bytes = 0;
    const std::string* changed = nullptr;
    for (const auto& [name, slice] : archive.value().tensors) {
        if (!made.value().weights.back().tensors.contains(name))
            continue;
        bytes += slice.bytes;
        if (name.ends_with(":codes"))
            changed = &name;
    }
    EXPECT_EQ(bytes, written.value().back().tensorBytes);
    ASSERT_NE(changed, nullptr);
    const core::TensorSlice& slice = archive.value().tensors.at(*changed);
    {
        std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(slice.offset + slice.bytes - 1));
        stream.put('\x55');
    }
    const auto damaged = compareWithin(made.value(), folder.path(), kFormat);
    ASSERT_FALSE(damaged.ok());
    EXPECT_NE(damaged.error().message.find(*changed), std::string::npos) << damaged.error().message;
}

}  // namespace
}  // namespace qs::engine
