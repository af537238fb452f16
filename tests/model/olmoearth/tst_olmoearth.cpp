#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/model/olmoearth/checkpoint.h"
#include "core/model/olmoearth/encoder.h"
#include "core/model/olmoearth/olmoearth.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core::olmoearth {
namespace {

using ::testing::HasSubstr;

Model modelOf(const std::string& variant)
{
    return openModel("olmoearth:" + variant, "", 7).value().model;
}

ShapePoint pointOf(std::int64_t tile, std::int64_t patch, std::int64_t steps)
{
    return {1, {{"tile_size", tile}, {"patch_size", patch}, {"time_steps", steps}}};
}

// Without the aggregation, which the fast path does not run: a Linear D -> D.
TEST(OlmoEarth, HasThePublishedParameters)
{
    struct Row {
        const char* name;
        std::int64_t width;
        std::int64_t parameters;
    };
    for (const Row& row : {Row{"nano", 128, 1'016'384}, Row{"tiny", 192, 5'685'600},
                           Row{"base", 768, 86'885'760}, Row{"large", 1024, 305'013'248}}) {
        const std::int64_t aggregation = row.width * row.width + row.width;
        EXPECT_EQ(modelOf(std::string(row.name) + "/s2+s1+landsat").parameterCount() + aggregation,
                  row.parameters)
            << row.name;
    }
}

TEST(OlmoEarth, HasThePublishedTokens)
{
    const Model model = modelOf("nano");
    const auto tokens = [&](std::int64_t tile, std::int64_t patch, std::int64_t steps) {
        const Graph graph =
            model.family->buildStage(0, pointOf(tile, patch, steps), DType::BFloat16).value();
        return graph.value(graph.outputs[0]).type.shape[1];
    };
    EXPECT_EQ(tokens(4, 4, 12), 36);
    EXPECT_EQ(tokens(8, 4, 12), 144);
    EXPECT_EQ(tokens(64, 4, 12), 9216);
    EXPECT_EQ(tokens(64, 1, 12), 147'456);
    EXPECT_EQ(tokens(64, 8, 12), 2304);
    EXPECT_EQ(tokens(64, 4, 1), 768);
    EXPECT_EQ(tokens(10, 4, 1), 12) << "what is left of a tile is no patch";
}

TEST(OlmoEarth, CostsWhatTheArithmeticSays)
{
    const Model model = modelOf("nano");
    const Cost cost =
        costOf(model.family->buildStage(0, pointOf(64, 4, 12), DType::BFloat16).value());
    EXPECT_NEAR(cost.attentionFlops * 1e-12, 0.174, 0.001);
    // Linears and the convolutions of patches.
    EXPECT_NEAR((cost.flops() - cost.attentionFlops) * 1e-12, 0.0145, 0.001);
}

TEST(OlmoEarth, SaysWhatCannotBe)
{
    const Model model = modelOf("nano");
    const auto problem = [&](std::int64_t tile, std::int64_t patch, std::int64_t steps) {
        return model.family->checkShape(pointOf(tile, patch, steps)).error().message;
    };
    EXPECT_THAT(problem(2, 4, 12), HasSubstr("zero tokens"));
    EXPECT_THAT(problem(64, 9, 12), HasSubstr("patches"));
    EXPECT_THAT(problem(64, 4, 13), HasSubstr("time steps"));
    for (const char* text : {"micro", "nano/", "nano/s3", "nano/s2+s2", "w64_d2", "w60_d1_h2",
                             "w64_d0_h2", "w64_d1_h3", ""})
        EXPECT_FALSE(parseVariant(text).ok()) << text;
}

TEST(OlmoEarth, VariantsHaveOneText)
{
    for (const char* text : {"nano", "giga/s1", "base/s2+s1+landsat", "w64_d2_h4/landsat"})
        EXPECT_EQ(toText(parseVariant(text).value()), text);
    EXPECT_EQ(toText(parseVariant("w128_d4_h8/landsat+s2").value()), "nano/s2+landsat");
}

TEST(OlmoEarth, LayersHaveTheirPlaces)
{
    const Model model = modelOf("nano");
    const LayerPlace q = model.family->layerPlace(0, "blocks.3.attn.q");
    EXPECT_EQ(q.role, LayerRole::Attention);
    EXPECT_EQ(q.block, 3);
    EXPECT_EQ(model.family->layerPlace(0, "blocks.0.mlp.fc1").role, LayerRole::Mlp);
    const std::string patches =
        "patch_embeddings.per_modality_embeddings.sentinel2_l2a.sentinel2_l2a__0.proj";
    EXPECT_EQ(model.family->layerPlace(0, patches).role, LayerRole::Stem);
    EXPECT_EQ(model.family->layers(0).size(), 3U + 4U * 6U);
}

class OlmoEarthCheckpoint : public ::testing::Test
{
protected:
    // A state_dict of nano as it is published, with what a pass does not read.
    void write(const std::string& prefix, const std::string& leftOut = {})
    {
        std::vector<std::vector<std::byte>> contents;
        std::vector<tests::TensorToWrite> tensors;
        const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
            std::uint64_t bytes = sizeof(float);
            for (const std::int64_t extent : shape)
                bytes *= static_cast<std::uint64_t>(extent);
            contents.emplace_back(bytes);
            tensors.push_back(
                {name, StoredType::F32, {shape.begin(), shape.end()}, contents.back()});
        };
        contents.reserve(1000);
        for (const WeightSpec& weight : weightsOf(parseVariant("nano/s2+landsat").value())) {
            if (weight.name != leftOut)
                add(prefix + weight.name, weight.shape);
        }
        add(prefix + "project_and_aggregate.projection.0.weight", {128, 128});
        add(prefix + "patch_embeddings.per_modality_embeddings.srtm.srtm__0.proj.bias", {128});
        add("decoder.norm.weight", {128});
        tests::writeFile(m_file, tests::encodeSafetensors(tensors, {}));
    }
    tests::TestFolder m_folder;
    std::filesystem::path m_file = m_folder / "weights.safetensors";
};

TEST_F(OlmoEarthCheckpoint, IsRecognisedByItsTensors)
{
    for (const char* prefix : {"encoder.", ""}) {
        write(prefix);
        for (const std::filesystem::path& path : {m_file, m_folder.path()}) {
            EXPECT_TRUE(isCheckpoint(path));
            const auto opened = openModel(path.string(), "", 0);
            ASSERT_TRUE(opened.ok()) << opened.error().message;
            EXPECT_EQ(opened.value().model.variant, "nano/s2+landsat");
            EXPECT_TRUE(opened.value().model.trained());
            EXPECT_TRUE(opened.value().report.unexpected.empty());
        }
        EXPECT_EQ(familyOf(m_file.string(), ""), "olmoearth");
    }
}

TEST_F(OlmoEarthCheckpoint, NamesWhatIsMissing)
{
    write("encoder.", "blocks.2.mlp.fc1.bias");
    const auto opened = openModel(m_file.string(), "", 0);
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("blocks.2.mlp.fc1.bias"));
}

}  // namespace
}  // namespace qs::core::olmoearth
