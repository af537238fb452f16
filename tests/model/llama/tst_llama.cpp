#include "core/model/llama/llama.h"

#include "core/base/files.h"
#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/model/llama/config_file.h"
#include "core/model/llama/decoder.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::dataFile;
using tests::writeFile;

ShapePoint shapeOf(std::int64_t batch, std::int64_t prompt, std::int64_t fresh)
{
    return {batch, {{"prompt_tokens", prompt}, {"new_tokens", fresh}}};
}

Model generated(const std::string& variant)
{
    return openModel("llama:" + variant, "", 3).value().model;
}

TEST(Llama, HasTheParametersOfThePublishedModels)
{
    EXPECT_EQ(generated("tinyllama-1.1b").parameterCount(), 1'100'048'384);
    EXPECT_EQ(generated("qwen2.5-3b").parameterCount(), 3'085'938'688);
    EXPECT_EQ(generated("llama-3.2-1b").parameterCount(), 1'235'814'400);
}

TEST(Llama, DoesTheWorkOfThePublishedModel)
{
    const Model model = generated("w2048_d16_h16_f5504_v32000_pairs");
    const Graph prefill = model.family->buildStage(0, shapeOf(4, 2047, 1), DType::BFloat16).value();
    const Cost cost = costOf(prefill);
    // 16 layers of 3·H·F + 4·H² for each token, and one row of the head.
    const double layer = 3.0 * 2048 * 5504 + 4.0 * 2048 * 2048;
    EXPECT_EQ(cost.matmulFlops, 2.0 * (4 * 2047 * 16 * layer + 4.0 * 32000 * 2048));
    EXPECT_EQ(cost.attentionFlops, 4.0 * 16 * 4 * 2047 * 2047 * 2048);
}

TEST(Llama, AnEmbeddingReadsTheRowsThatAreLookedUp)
{
    const Model model = generated("w64_d1_h4_f64_v1000_tied");
    const Graph decode = model.family->buildStage(1, shapeOf(1, 4, 2), DType::Float32).value();
    for (const LayerCost& layer : costPerModule(decode)) {
        if (layer.module == "model.embed_tokens") {
            EXPECT_EQ(layer.cost.weightBytes, 4.0 * 64);
        }
        if (layer.module == "lm_head") {
            EXPECT_EQ(layer.cost.weightBytes, 4.0 * 1000 * 64 - 4.0 * 64) << "the rest of it";
        }
    }
}

TEST(Llama, ConfigurationsReadBack)
{
    for (const llama::PublishedModel& model : llama::publishedModels()) {
        const llama::Config config = llama::parseConfig(model.config).value();
        EXPECT_EQ(llama::toText(config), model.config);
        EXPECT_EQ(llama::parseConfig(llama::toText(config)).value(), config);
    }
    const auto odd = llama::parseConfig("w48_d1_h4_x16_f8_v9_c5_eps0.001_theta3.5_pairs_bias");
    EXPECT_EQ(odd.value().headWidth, 16);
    EXPECT_EQ(odd.value().keyHeads, 4);
    EXPECT_EQ(llama::parseConfig(llama::toText(odd.value())).value(), odd.value());
    for (const char* text :
         {"", "tiny2", "w32", "w32_d1_h3_f8_v9", "w32_d1_h4_k3_f8_v9", "w32_d0_h4_f8_v9",
          "w12_d1_h4_f8_v9", "w32_d1_h4_f8_v9_eps0", "w32_d1_h4_f8_v9_stretch8x4x1x9",
          "w99999999999_d1_h1_f8_v9", "w32_d1_h4_f8_v-9", "w32_d1_h4_f8_v9_z"})
        EXPECT_FALSE(llama::parseConfig(text).ok()) << text;
}

TEST(Llama, StretchedWavesKeepShortOnesAndScaleLongOnes)
{
    llama::Config config = llama::parseConfig("w256_d1_h2_f8_v9_theta500000").value();
    const auto plain = llama::inverseFrequencies(config);
    config.stretch = llama::RopeStretch{};
    const auto stretched = llama::inverseFrequencies(config);
    ASSERT_EQ(plain.size(), 64U);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const double length = 2.0 * std::numbers::pi / plain[i];
        if (length < 8192.0 / 4.0) {
            EXPECT_EQ(stretched[i], plain[i]);
        }
        if (length > 8192.0) {
            EXPECT_NEAR(stretched[i], plain[i] / 8.0, 1e-7 * plain[i]);
        }
        EXPECT_LE(stretched[i], plain[i]);
    }
}

TEST(Llama, ChecksShapes)
{
    const auto family = generated("w32_d1_h4_f48_v80_c64").family;
    EXPECT_TRUE(family->checkShape(shapeOf(1, 1, 1)).ok());
    EXPECT_TRUE(family->checkShape(shapeOf(1, 60, 4)).ok());
    EXPECT_TRUE(family->checkShape(shapeOf(1, 60, 0)).ok());
    EXPECT_THAT(family->checkShape(shapeOf(1, 60, 5)).error().message, HasSubstr("64 positions"));
    for (const ShapePoint& point :
         {shapeOf(0, 4, 4), shapeOf(1, 0, 4), shapeOf(INT64_MAX, 4, 4),
          shapeOf(1, INT64_MAX, INT64_MAX), ShapePoint{1, {{"image_size", 256}}}})
        EXPECT_FALSE(family->checkShape(point).ok());
    EXPECT_EQ(family->runsPerPass(0, shapeOf(2, 8, 5)), 1);
    EXPECT_EQ(family->runsPerPass(1, shapeOf(2, 8, 5)), 4);
    EXPECT_EQ(family->workload().unitsPerPass(shapeOf(2, 8, 5)), 10);
}

// The decode reads and writes states alone, and both stages mean the same ones.
TEST(Llama, StagesShareStatesAndNothingComesFromTheHost)
{
    const auto family = generated("w32_d2_h4_k2_f48_v80").family;
    std::map<std::string, std::string> states;
    for (std::size_t stage = 0; stage < 2; ++stage) {
        const Graph graph = family->buildStage(stage, shapeOf(3, 8, 5), DType::BFloat16).value();
        EXPECT_EQ(graph.inputs.size(), stage == 0 ? 1U : 0U);
        for (const Value& value : graph.values) {
            if (value.kind == ValueKind::State) {
                EXPECT_EQ(states.try_emplace(value.name, toText(value.type)).first->second,
                          toText(value.type));
            }
        }
    }
    EXPECT_EQ(states.size(), 2U * 2U + 3U);
    EXPECT_EQ(states.at("model.layers.1.self_attn.key_cache"), "bfloat16[3, 2, 13, 8]");
    EXPECT_EQ(states.at("generated_tokens"), "int64[3, 5]");
}

class LlamaFiles : public testing::Test
{
protected:
    LlamaFiles()
    {
        std::filesystem::copy(dataFile("golden/llama/grouped"), m_folder.path(),
                              std::filesystem::copy_options::recursive);
    }

    // Replaces a part of config.json and opens the folder.
    Result<OpenedModel> with(const std::string& from, const std::string& to)
    {
        const std::string original =
            readTextFile(dataFile("golden/llama/grouped/config.json"), 1U << 20U).value();
        std::string text = original;
        EXPECT_NE(text.find(from), std::string::npos) << from;
        text.replace(text.find(from), from.size(), to);
        writeFile(m_folder / "config.json", text);
        return openModel(m_folder.path().string(), "", 0);
    }

    tests::TestFolder m_folder;
};

TEST_F(LlamaFiles, ShardsAreReadUnchanged)
{
    for (const std::string name : {"", "model-00002-of-00003.safetensors", "config.json"}) {
        const auto opened = openModel((m_folder.path() / name).string(), "", 0);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        EXPECT_EQ(opened.value().model.variant, "w32_d2_h4_k2_f48_v80_c64");
        EXPECT_EQ(std::get<StoredWeights>(opened.value().model.weights).files.size(), 3U);
        EXPECT_TRUE(opened.value().report.unexpected.empty());
    }
    const ModelInspection seen = inspectModel(m_folder.path().string(), "", 0);
    EXPECT_TRUE(seen.usable());
    EXPECT_GT(seen.fileBytes, 50'000U);
}

TEST_F(LlamaFiles, TheUsualSizesHavePlacesInTheModel)
{
    const auto family = openModel(m_folder.path().string(), "", 0).value().model.family;
    EXPECT_TRUE(family->checkShape({1, family->workload().completed({})}).ok());
    const auto large = openModel("llama:tinyllama-1.1b", "", 0).value().model.family;
    EXPECT_EQ(large->workload().completed({}).find("prompt_tokens"), 128);
}

TEST_F(LlamaFiles, TheConfigurationIsPartOfTheIdentity)
{
    const std::string before = openModel(m_folder.path().string(), "", 0).value().model.contentId;
    EXPECT_NE(with("\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": 1e-06").value().model.contentId,
              before);
    EXPECT_EQ(with("\"use_cache\": true", "\"use_cache\": false").value().model.contentId, before);
}

TEST_F(LlamaFiles, WhatChangesTheMathematicsIsRefused)
{
    const std::pair<const char*, const char*> cases[]{
        {"\"silu\"", "\"gelu\""},
        {"\"rope_scaling\": null", "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4.0}"},
        {"\"use_cache\": true", "\"mlp_bias\": true"},
        {"\"use_cache\": true", "\"attention_bias\": true"},
        {"\"use_cache\": true", "\"quantization_config\": {\"bits\": 4}"},
    };
    for (const auto& [from, to] : cases) {
        const auto opened = with(from, to);
        ASSERT_FALSE(opened.ok()) << to;
        EXPECT_EQ(opened.error().code, ErrorCode::Unsupported) << opened.error().message;
    }
}

TEST_F(LlamaFiles, HostileConfigurationsAreErrors)
{
    const std::pair<const char*, const char*> cases[]{
        {"\"hidden_size\": 32", "\"hidden_size\": 0"},
        {"\"hidden_size\": 32", "\"hidden_size\": 1e99"},
        {"\"hidden_size\": 32", "\"hidden_size\": 9223372036854775807"},
        {"\"hidden_size\": 32", "\"hidden_size\": \"32\""},
        {"\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1000000"},
        {"\"num_attention_heads\": 4", "\"num_attention_heads\": 3"},
        {"\"head_dim\": 8", "\"head_dim\": 7"},
        {"\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": -1"},
        {"\"vocab_size\": 80", "\"vocab_size\": 81"},
        {"\"vocab_size\": 80,", ""},
        {"\"rope_scaling\": null", "\"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": -4}"},
        {"\"tie_word_embeddings\": false", "\"tie_word_embeddings\": 3"},
    };
    for (const auto& [from, to] : cases) {
        const auto opened = with(from, to);
        ASSERT_FALSE(opened.ok()) << to;
        EXPECT_FALSE(opened.error().message.empty());
    }
}

// It says the family: without it nobody knows what the tensors are.
TEST_F(LlamaFiles, ADamagedConfigurationIsNamed)
{
    const auto opened = with("\"hidden_size\": 32,", "\"hidden_size\": 32");
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, ErrorCode::Format);
    EXPECT_THAT(opened.error().message, testing::HasSubstr(m_folder / "config.json"));
    EXPECT_THAT(opened.error().message, testing::Not(testing::HasSubstr("ViTok")));
}

TEST_F(LlamaFiles, AnIndexLeadsNowhereElse)
{
    const std::filesystem::path index = m_folder / "model.safetensors.index.json";
    for (const std::string file : {"../secret.safetensors", "/etc/passwd", "..", "", "a/b"}) {
        const Json json{{"weight_map", {{"model.norm.weight", file}}}};
        EXPECT_FALSE(llama::shardsFromIndex(json, m_folder.path()).ok()) << file;
    }
    for (const char* text : {"{}", "[]", "{\"weight_map\": 3}", "{\"weight_map\": {}}",
                             "{\"weight_map\": {\"a\": 3}}", "{", ""}) {
        writeFile(index, text);
        EXPECT_FALSE(openModel(m_folder.path().string(), "", 0).ok()) << text;
    }
}

TEST_F(LlamaFiles, AMissingShardIsNamed)
{
    std::filesystem::remove(m_folder / "model-00003-of-00003.safetensors");
    const auto opened = openModel(m_folder.path().string(), "", 0);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("model-00003-of-00003.safetensors"));
}

}  // namespace
}  // namespace qs::core
