// The family, executed, against an independent NumPy implementation in float64 that knows no cache
// (tests/golden/llama/generate.py).

#include "core/base/npy.h"
#include "core/engine/weights/storage_audit.h"
#include "tests/engine/family_pipeline.h"
#include "tests/support/test_folder.h"

#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::dataFile;
using tests::FamilyPipeline;
using tests::largestDifference;

core::ShapePoint shapeOf(std::int64_t batch, std::int64_t prompt, std::int64_t fresh)
{
    return {batch, {{"prompt_tokens", prompt}, {"new_tokens", fresh}}};
}

std::vector<std::int64_t> whole(const core::FloatArray& array)
{
    return {array.values.begin(), array.values.end()};
}

core::HostTensors promptOf(const std::vector<std::int64_t>& shape,
                           const std::vector<std::int64_t>& tokens)
{
    return {{"tokens", {shape, tokens}}};
}

class LlamaOracle : public testing::TestWithParam<const char*>
{
protected:
    [[nodiscard]] static core::FloatArray golden(const std::string& name)
    {
        return core::readNpy(folder() / (name + ".npy")).value();
    }
    [[nodiscard]] static std::filesystem::path folder()
    {
        return dataFile(std::string("golden/llama/") + GetParam());
    }

    [[nodiscard]] static FamilyPipeline generated(const std::string& precision = "fp32")
    {
        const core::FloatArray prompt = golden("prompt");
        FamilyPipeline model(
            folder().string(),
            shapeOf(prompt.shape[0], prompt.shape[1], golden("generated").shape[1]),
            promptOf(prompt.shape, whole(prompt)), precision);
        model.pipeline().run();
        return model;
    }

    static core::FloatArray logitsOf(FamilyPipeline& model, const std::string& name)
    {
        return tests::floats(model.pipeline().output(name).value());
    }

private:
    c10::InferenceMode m_guard;
};

TEST_P(LlamaOracle, LogitsAndTokensAgreeInFloat32)
{
    FamilyPipeline model = generated();
    EXPECT_LE(largestDifference(logitsOf(model, "prompt_logits"), golden("prompt_logits")), 1e-5);
    EXPECT_EQ(model.pipeline().output().values,
              tests::floats(model.pipeline().output("logits").value()).values)
        << "the judged output";
    const core::HostTensor tokens = model.pipeline().output("generated").value();
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(tokens.values), whole(golden("generated")));
    EXPECT_LE(largestDifference(logitsOf(model, "logits"), golden("logits")), 1e-5)
        << "the last step, through the cache";
}

TEST_P(LlamaOracle, TheUsualMistakesWouldBeSeen)
{
    FamilyPipeline model = generated();
    const core::FloatArray logits = logitsOf(model, "prompt_logits");
    const auto& config = std::string(GetParam());
    for (const std::string slip : {"rope_halves", "eps", "gate_order", "head_order", "scale"}) {
        // Without groups, or with one for all, there is no order of heads.
        if (slip == "head_order" && (config == "pairs_tied" || config == "qwen"))
            continue;
        EXPECT_GE(largestDifference(logits, golden("slip_" + slip)), 0.1) << slip;
    }
}

// Each token through the cache, and the whole sequence at once.
TEST_P(LlamaOracle, DecodeWithACacheIsDecodeWithoutOne)
{
    const core::FloatArray prompt = golden("prompt");
    const auto first = whole(prompt);
    const auto next = whole(golden("generated"));
    const std::int64_t batch = prompt.shape[0];
    const std::int64_t length = prompt.shape[1];
    const std::int64_t count = golden("generated").shape[1];
    for (std::int64_t fresh = 2; fresh <= count; ++fresh) {
        FamilyPipeline cached(folder().string(), shapeOf(batch, length, fresh),
                              promptOf(prompt.shape, first));
        cached.pipeline().run();
        const std::int64_t longer = length + fresh - 1;
        std::vector<std::int64_t> sequence;
        for (std::int64_t row = 0; row < batch; ++row) {
            sequence.insert(sequence.end(), first.begin() + row * length,
                            first.begin() + (row + 1) * length);
            sequence.insert(sequence.end(), next.begin() + row * count,
                            next.begin() + row * count + fresh - 1);
        }
        FamilyPipeline whole(folder().string(), shapeOf(batch, longer, 1),
                             promptOf({batch, longer}, sequence));
        whole.pipeline().run();
        EXPECT_LE(largestDifference(logitsOf(cached, "logits"), logitsOf(whole, "prompt_logits")),
                  1e-5)
            << fresh;
    }
}

// What is judged: the logits of every token that is generated, or of every place that is read.
TEST_P(LlamaOracle, EveryTokenIsJudged)
{
    const core::FloatArray prompt = golden("prompt");
    const auto tokens = whole(prompt);
    const std::int64_t count = golden("generated").shape[1];
    FamilyPipeline model = generated();
    const core::FloatArray judged = model.pipeline().runJudged(prompt.shape[0], prompt.shape[0]);
    const std::int64_t width = judged.shape.back();
    ASSERT_EQ(judged.shape, (std::vector<std::int64_t>{prompt.shape[0], count, width}));
    const core::FloatArray first = logitsOf(model, "prompt_logits");
    const core::FloatArray last = logitsOf(model, "logits");
    EXPECT_TRUE(
        std::equal(first.values.begin(), first.values.begin() + width, judged.values.begin()));
    EXPECT_TRUE(std::equal(last.values.begin(), last.values.begin() + width,
                           judged.values.begin() + (count - 1) * width));

    FamilyPipeline reading(folder().string(), shapeOf(prompt.shape[0], prompt.shape[1], 0),
                           promptOf(prompt.shape, tokens));
    const core::FloatArray read = reading.pipeline().runJudged(1, 1);
    ASSERT_EQ(read.shape, (std::vector<std::int64_t>{1, prompt.shape[1], width}));
    const core::FloatArray end{{width}, {read.values.end() - width, read.values.end()}};
    const core::FloatArray wanted{{width}, {first.values.begin(), first.values.begin() + width}};
    EXPECT_LE(largestDifference(end, wanted), 1e-5);
}

// Nothing is left of the generation before, and a batch that is not full repeats its sequences.
TEST_P(LlamaOracle, PassesAreIndependentOfEachOther)
{
    FamilyPipeline model = generated();
    const core::FloatArray before = logitsOf(model, "logits");
    const core::FloatArray prompt = golden("prompt");
    std::vector<std::int64_t> other = whole(prompt);
    std::reverse(other.begin(), other.end());
    model.pipeline().setInputs(promptOf(prompt.shape, other));
    model.pipeline().run();
    EXPECT_GT(largestDifference(logitsOf(model, "logits"), before), 0.01);
    model.pipeline().setInputs(promptOf(prompt.shape, whole(prompt)));
    model.pipeline().run();
    model.pipeline().run();
    EXPECT_EQ(logitsOf(model, "logits").values, before.values);

    std::vector<std::int64_t> single = whole(prompt);
    single.resize(static_cast<std::size_t>(prompt.shape[1]));
    model.pipeline().setInputs(promptOf({1, prompt.shape[1]}, single));
    model.pipeline().run();
    const core::FloatArray repeated = logitsOf(model, "prompt_logits");
    const auto half = repeated.values.begin() + repeated.shape[1];
    EXPECT_TRUE(std::equal(repeated.values.begin(), half, half));
}

// What records a stage runs it a few times by itself.
TEST_P(LlamaOracle, ADecodeMayRunMoreOftenThanThereIsRoom)
{
    const core::FloatArray prompt = golden("prompt");
    for (const std::int64_t fresh : {2, 3}) {
        FamilyPipeline model(folder().string(), shapeOf(prompt.shape[0], prompt.shape[1], fresh),
                             promptOf(prompt.shape, whole(prompt)));
        model.pipeline().run();
        const core::FloatArray before = logitsOf(model, "prompt_logits");
        for (int i = 0; i < 5; ++i)
            model.pipeline().observe(1);
        model.pipeline().run();
        EXPECT_EQ(logitsOf(model, "prompt_logits").values, before.values);
        const auto tokens = model.pipeline().output("generated").value();
        const auto expected = whole(golden("generated"));
        for (std::int64_t step = 0; step < fresh; ++step)
            EXPECT_EQ(std::get<std::vector<std::int64_t>>(tokens.values)
                          .at(static_cast<std::size_t>(step)),
                      expected.at(static_cast<std::size_t>(step)));
    }
}

TEST_P(LlamaOracle, StagesShareTheirWeights)
{
    for (const char* precision : {"fp32", "bf16", "int8wo", "int8wo/bf16"}) {
        FamilyPipeline model = generated(precision);
        EXPECT_EQ(residentBytes(model.weights()),
                  core::residentWeightBytes(*model.model().family, model.recipe()))
            << precision;
        for (const AuditedWeight& weight :
             auditStorage(*model.model().family, model.recipe(), model.weights()))
            EXPECT_EQ(weight.fault, std::nullopt) << precision << " " << weight.name;
        EXPECT_LE(largestDifference(logitsOf(model, "prompt_logits"), golden("prompt_logits")), 0.5)
            << precision;
    }
    FamilyPipeline model = generated("int8wo");
    EXPECT_TRUE(
        model.weights()[0]
            .tensors.at("model.layers.0.mlp.up_proj.weight:codes")
            .is_alias_of(model.weights()[1].tensors.at("model.layers.0.mlp.up_proj.weight:codes")));
    // An embedding that is tied to a quantized head stays as it is beside the codes.
    EXPECT_TRUE(model.weights()[0].tensors.contains("model.embed_tokens.weight"));
}

INSTANTIATE_TEST_SUITE_P(Cases, LlamaOracle,
                         testing::Values("grouped", "pairs_tied", "qwen", "stretched"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace qs::engine
