#include "core/engine/weights/quantize_weights.h"
#include "core/model/catalogue.h"
#include "core/model/generated_weights.h"
#include "tests/engine/cpu_device.h"
#include "tests/support/image_shape.h"

#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::kCpu;

TEST(Weights, TheCompositionGivesTheBitsOfTheReference)
{
    const c10::InferenceMode guard;
    for (const std::int64_t seed : {0LL, 42LL, -7LL}) {
        const std::uint64_t key = core::generatorKey(seed, "decoder/to_pixels.weight");
        const float factor = core::generatorFactor(0.03125);
        const std::int64_t first = (std::int64_t{1} << 33U) - 5;
        std::vector<float> expected(1000);
        core::generate(key, factor, static_cast<std::uint64_t>(first), expected);
        const at::Tensor made = generateOnDevice(key, factor, first, 1000, kCpu);
        ASSERT_EQ(made.numel(), 1000);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(made.const_data_ptr<float>()[i], expected[i]) << i;
    }
}

core::Model smallModel()
{
    return core::openModel("vitok:w64_d1_h2-w48_d2_h3/1x8x16", "", 3).value().model;
}

TEST(Weights, AStageIsLoadedWholeInItsWorkingType)
{
    const c10::InferenceMode guard;
    const core::Model model = smallModel();
    WeightLoader loader = WeightLoader::create(model, kCpu).value();
    std::int64_t last = 0;
    const auto weights =
        loader.load(0, core::DType::BFloat16, [&](std::int64_t done, std::int64_t total) {
            EXPECT_GT(done, last);
            EXPECT_LE(done, total);
            last = done;
            return true;
        });
    ASSERT_TRUE(weights.ok()) << weights.error().message;
    EXPECT_EQ(weights.value().tensors.size(), model.family->stages()[0].weights.size());
    EXPECT_EQ(residentBytes({weights.value()}), 2 * model.parameterCount(0));
    EXPECT_EQ(last, 2 * model.parameterCount(0));
}

TEST(Weights, LoadingCanBeStopped)
{
    const c10::InferenceMode guard;
    const core::Model model = smallModel();
    WeightLoader loader = WeightLoader::create(model, kCpu).value();
    const auto result =
        loader.load(0, core::DType::Float32, [](std::int64_t, std::int64_t) { return false; });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, core::ErrorCode::Cancelled);
}

TEST(Weights, QuantizingReplacesWeightsByCodesAndScales)
{
    const c10::InferenceMode guard;
    const core::Model model = smallModel();
    const auto recipe = core::makeRecipe(*model.family, {"int8dq"}, "all").value();
    const auto program = core::lower(*model.family, {recipe, tests::imageShape(1, 32), {}}).value();
    WeightLoader loader = WeightLoader::create(model, kCpu).value();
    const auto everything = [](auto...) { return true; };
    StageWeights weights = loader.load(1, program.stages[1].workingType, everything).value();
    ASSERT_TRUE(quantizeWeights(weights, program.stages[1], kCpu, everything).ok());
    EXPECT_FALSE(weights.tensors.contains("decoder_blocks.0.ffn.fc1.weight"));
    const at::Tensor& codes = weights.tensors.at("decoder_blocks.0.ffn.fc1.weight:codes");
    EXPECT_EQ(codes.scalar_type(), at::kChar);
    EXPECT_EQ(weights.tensors.at("decoder_blocks.0.ffn.fc1.weight:scale").size(0), codes.size(0));
    EXPECT_TRUE(weights.tensors.contains("to_pixels.weight"));

    // The sum over both stages is what the layer table promises.
    StageWeights encoder = loader.load(0, program.stages[0].workingType, everything).value();
    ASSERT_TRUE(quantizeWeights(encoder, program.stages[0], kCpu, everything).ok());
    EXPECT_EQ(residentBytes({weights}) + residentBytes({encoder}),
              core::residentWeightBytes(*model.family, recipe));
}

}  // namespace
}  // namespace qs::engine
