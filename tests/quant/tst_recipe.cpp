#include "core/quant/recipe.h"

#include "core/model/catalogue.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace qs::core {
namespace {

using testing::HasSubstr;

constexpr double kGiB = 1073741824.0;

std::shared_ptr<const ModelFamily> published(const char* name)
{
    return vitok::makeFamily(vitok::parseVariant(vitok::findPublished(name)->variant).value());
}

Recipe recipeOf(const ModelFamily& family, const char* scheme, const char* layers = "all")
{
    return makeRecipe(family, {scheme}, layers).value();
}

struct Coverage {
    std::int64_t layers = 0;
    std::int64_t parameters = 0;
};

Coverage matched(const std::vector<LayerRow>& rows)
{
    Coverage coverage;
    for (const LayerRow& row : rows) {
        if (row.matched) {
            ++coverage.layers;
            coverage.parameters += row.parameters;
        }
    }
    return coverage;
}

TEST(LayerTables, CoverTheBlocksOfViTok350M)
{
    const auto family = published("350M-f16x64");
    const auto rows = layerTable(*family, recipeOf(*family, "int8dq"));
    EXPECT_EQ(rows.size(), 116U);
    const Coverage coverage = matched(rows);
    EXPECT_EQ(coverage.layers, 112);
    EXPECT_EQ(coverage.parameters, 352'780'288);
    EXPECT_NEAR(100.0 * static_cast<double>(coverage.parameters) / 354'548'032.0, 99.50, 0.005);
    const Coverage mlp = matched(layerTable(*family, recipeOf(*family, "int8dq", "mlp")));
    EXPECT_EQ(mlp.layers, 56);
    EXPECT_NEAR(100.0 * static_cast<double>(mlp.parameters) / 352'780'288.0, 66.71, 0.005);
}

// Without biases; stages that share a weight count it once.
std::int64_t quantizedWeights(const char* model, const char* scheme, const char* layers)
{
    const Model opened = openModel(model, "", 7).value().model;
    std::map<std::string, std::int64_t> weights;
    for (const LayerRow& row :
         layerTable(*opened.family, recipeOf(*opened.family, scheme, layers))) {
        if (row.quantized())
            weights[row.weight] = row.inFeatures * row.outFeatures;
    }
    std::int64_t sum = 0;
    for (const auto& [name, count] : weights)
        sum += count;
    return sum;
}

TEST(LayerTables, QuantizeWhatTheDocumentsQuantize)
{
    // By the expressions of OlmoEarth: eleven twelfths of the weights of its blocks.
    EXPECT_EQ(quantizedWeights("olmoearth:nano", "int8dq", "olmoearth"), 720'896);
    EXPECT_EQ(quantizedWeights("olmoearth:tiny", "int8dq", "olmoearth"), 4'866'048);
    EXPECT_EQ(quantizedWeights("olmoearth:base", "int8dq", "olmoearth"), 77'856'768);
    EXPECT_EQ(quantizedWeights("olmoearth:large", "int8dq", "olmoearth"), 276'824'064);
    // The targets of W4A16: all but the head.
    EXPECT_EQ(quantizedWeights("llama:tinyllama-1.1b", "gptq-int4-128", "all"), 968'884'224);
    EXPECT_EQ(quantizedWeights("llama:qwen2.5-3b", "gptq-int4-128", "all"), 2'774'532'096);
}

TEST(LayerTables, CoverTheBlocksOfViTok5B)
{
    for (const char* name : {"5B-f16x64", "5B-f32x64"}) {
        const auto family = published(name);
        const Coverage coverage = matched(layerTable(*family, recipeOf(*family, "int8dq")));
        EXPECT_EQ(coverage.layers, 44 * 4);
        EXPECT_EQ(coverage.parameters, 4'989'321'216) << name;
        const Coverage mlp = matched(layerTable(*family, recipeOf(*family, "int8dq", "mlp")));
        EXPECT_NEAR(static_cast<double>(mlp.parameters) / 4'989'321'216.0, 0.6671, 0.00005);
    }
}

TEST(LayerTables, ListLayersInOrderOfExecution)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d1_h4/1x8x16").value());
    const auto rows = layerTable(*family, recipeOf(*family, "bf16"));
    std::vector<std::string> listed;
    for (const LayerRow& row : rows)
        listed.push_back(row.module);
    std::vector<std::string> executed;
    for (std::size_t stage = 0; stage < 2; ++stage) {
        const Graph graph =
            family->buildStage(stage, tests::imageShape(1, 16), DType::BFloat16).value();
        for (const Node& node : graph.nodes) {
            if (node.operation->operationClass == OperationClass::Linear)
                executed.push_back(node.module);
        }
    }
    EXPECT_EQ(listed, executed);
    EXPECT_EQ(rows[0].stage, 0U);
    EXPECT_EQ(rows[6].stage, 1U);
}

TEST(LayerTables, SayWhatEachLayerRunsIn)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d1_h4/1x8x16").value());
    const auto rowOf = [&](const char* scheme, const char* layers, const char* module) {
        for (const LayerRow& row : layerTable(*family, recipeOf(*family, scheme, layers))) {
            if (row.module == module)
                return row;
        }
        return LayerRow{};
    };
    const LayerRow hit = rowOf("int8dq", "all", "encoder_blocks.0.ffn.fc1");
    EXPECT_TRUE(hit.matched);
    EXPECT_TRUE(hit.quantized());
    EXPECT_EQ(hit.scheme, namedScheme("int8dq"));
    EXPECT_EQ(hit.inFeatures, 64);
    EXPECT_EQ(hit.outFeatures, 352);
    EXPECT_EQ(hit.parameters, 64 * 352);
    EXPECT_EQ(hit.bytesBefore, 2 * 64 * 352);
    EXPECT_EQ(hit.bytesAfter, 64 * 352 + 4 * 352);
    EXPECT_EQ(hit.reason, "");
    const LayerRow skipped = rowOf("int8dq", "all", "patch_embed");
    EXPECT_FALSE(skipped.matched);
    EXPECT_FALSE(skipped.quantized());
    EXPECT_EQ(skipped.scheme, namedScheme("bf16"));
    EXPECT_EQ(skipped.reason, "embedding, outside the blocks");
    EXPECT_EQ(skipped.parameters, 192 * 64 + 64) << "with its bias";
    EXPECT_EQ(skipped.bytesAfter, skipped.bytesBefore);
    // Outside the matched layers: the working type.
    EXPECT_EQ(rowOf("bf16-autocast", "all", "patch_embed").scheme, namedScheme("fp32"));
    EXPECT_EQ(rowOf("tf32", "all", "patch_embed").scheme, namedScheme("tf32"));
    EXPECT_EQ(rowOf("fp16", "all", "patch_embed").scheme, namedScheme("fp16"));
    EXPECT_FALSE(rowOf("bf16", "all", "encoder_blocks.0.ffn.fc1").quantized());
}

TEST(LayerTables, NameTheSizesThatAProductCannotTake)
{
    // 8 channels: to_code has 8 rows, one row of e4m3 tiles short.
    const auto family = vitok::makeFamily(vitok::parseVariant("w72_d1_h1/1x4x8").value());
    const auto rows = layerTable(*family, recipeOf(*family, "float8dq-row", "every"));
    std::map<std::string, std::string> reasons;
    for (const LayerRow& row : rows)
        reasons[row.module] = row.reason;
    EXPECT_EQ(reasons.at("to_code"), "sizes 72 and 8 are not both multiples of 16, as "
                                     "float8dq-row products need");
    EXPECT_EQ(matched(rows).layers, 0) << "72 wide: no layer fits";
    EXPECT_EQ(matched(layerTable(*family, recipeOf(*family, "int8dq", "every"))).layers, 12);
    EXPECT_EQ(matched(layerTable(*family, recipeOf(*family, "float8wo", "every"))).layers, 12);
}

TEST(SizeObjections, FollowTheProducts)
{
    for (const char* scheme : {"float8dq-tensor", "float8dq-row"}) {
        EXPECT_EQ(sizeObjection(namedScheme(scheme), 16, 32), std::nullopt);
        EXPECT_TRUE(sizeObjection(namedScheme(scheme), 24, 32).has_value());
        EXPECT_TRUE(sizeObjection(namedScheme(scheme), 32, 24).has_value());
    }
    EXPECT_EQ(sizeObjection(namedScheme("int8dq"), 24, 8), std::nullopt);
    EXPECT_EQ(sizeObjection(namedScheme("int8dq"), 20, 8),
              "sizes 20 and 8 are not both multiples of 8, as int8dq products need");
    // torchao before 0.16 left small layers alone, 0.18 does not.
    EXPECT_EQ(sizeObjection(namedScheme("int8dq"), 16, 32), std::nullopt);
    EXPECT_TRUE(sizeObjection(namedScheme("int8dq:rule=reduced"), 16, 32).has_value());
    EXPECT_EQ(sizeObjection(namedScheme("int8dq:rule=reduced"), 24, 32), std::nullopt);
    EXPECT_EQ(sizeObjection(namedScheme("int8dq:rule=tensor"), 512, 10), std::nullopt)
        << "as quantize_dynamic, which takes any layer";
    EXPECT_EQ(sizeObjection(namedScheme("int4wo-64"), 128, 5), std::nullopt);
    EXPECT_EQ(sizeObjection(namedScheme("int4wo-64"), 96, 5),
              "96 input features are no multiple of 64, as int4wo-64 needs");
    EXPECT_EQ(sizeObjection(namedScheme("int4wo-64:tail=1"), 96, 5), std::nullopt);
    EXPECT_TRUE(sizeObjection(namedScheme("int4wo-64:tail=1"), 95, 5).has_value());
    EXPECT_EQ(storedBytes(namedScheme("int4wo-64:tail=1"), 6, 96, false), 6 * 48 + 2 * 6 * 2 * 2);
    for (const char* scheme :
         {"fp32", "tf32", "fp16", "bf16", "bf16-autocast", "int8wo", "float8wo"})
        EXPECT_EQ(sizeObjection(namedScheme(scheme), 3, 5), std::nullopt) << scheme;
}

TEST(StoredBytes, FollowTheFormulas)
{
    // out 6, in 10.
    EXPECT_EQ(storedBytes(namedScheme("fp32"), 6, 10, false), 240);
    EXPECT_EQ(storedBytes(namedScheme("tf32"), 6, 10, true), 240 + 24);
    EXPECT_EQ(storedBytes(namedScheme("bf16-autocast"), 6, 10, true), 240 + 24);
    EXPECT_EQ(storedBytes(namedScheme("fp16"), 6, 10, true), 120 + 12);
    EXPECT_EQ(storedBytes(namedScheme("bf16"), 6, 10, false), 120);
    for (const char* rowwise : {"int8dq", "int8wo", "float8dq-row", "float8wo"}) {
        EXPECT_EQ(storedBytes(namedScheme(rowwise), 6, 10, false), 60 + 6 * 4) << rowwise;
        EXPECT_EQ(storedBytes(namedScheme(rowwise), 6, 10, true), 60 + 6 * 4 + 12) << rowwise;
    }
    EXPECT_EQ(storedBytes(namedScheme("float8dq-tensor"), 6, 10, false), 60 + 4);
    EXPECT_EQ(storedBytes(namedScheme("float8dq-tensor"), 6, 10, true), 60 + 4 + 12);
}

struct SizeCase {
    const char* model;
    std::int64_t parameters;
    std::int64_t blockParameters;
    double bf16, int8, float8, float8Mlp;  // GiB as published
};

constexpr SizeCase kSizes[] = {
    {"350M-f16x64", 354'548'032, 352'780'288, 0.660, 0.332, 0.332, 0.441},
    {"5B-f16x64", 4'994'721'600, 4'989'321'216, 9.303, 4.659, 4.657, 6.204},
    {"5B-f32x64", 5'008'879'680, 4'989'321'216, 9.330, 4.686, 4.683, 6.230},
};

TEST(ResidentWeights, HaveThePublishedSizes)
{
    for (const SizeCase& each : kSizes) {
        const auto family = published(each.model);
        const auto gibibytes = [&](const char* scheme, const char* layers) {
            return static_cast<double>(
                       residentWeightBytes(*family, recipeOf(*family, scheme, layers))) /
                   kGiB;
        };
        EXPECT_EQ(residentWeightBytes(*family, recipeOf(*family, "bf16")), 2 * each.parameters);
        EXPECT_EQ(residentWeightBytes(*family, recipeOf(*family, "fp32")), 4 * each.parameters);
        EXPECT_NEAR(gibibytes("bf16", "all"), each.bf16, 0.0006) << each.model;
        EXPECT_NEAR(gibibytes("float8dq-tensor", "all"), each.float8, 0.0006) << each.model;
        EXPECT_NEAR(gibibytes("float8dq-tensor", "mlp"), each.float8Mlp, 0.0006) << each.model;
        // Published with a bfloat16 scale per row; ours is float32, as in torchao 0.18.
        std::int64_t rows = 0;
        for (const LayerRow& row : layerTable(*family, recipeOf(*family, "int8wo")))
            rows += row.matched ? row.outFeatures : 0;
        const double narrowScales =
            gibibytes("int8wo", "all") - 2.0 * static_cast<double>(rows) / kGiB;
        EXPECT_NEAR(narrowScales, each.int8, 0.0006) << each.model;
        EXPECT_NEAR(gibibytes("int8wo", "all"), narrowScales, 0.002 * narrowScales) << each.model;
    }
}

TEST(ResidentWeights, CountCodesAndScalesExactly)
{
    const auto family = published("350M-f16x64");
    // Per block of L: 3·1024 + 1024 + 2·2736 + 1024 rows, a float32 scale each.
    const std::int64_t rows = 28 * (3 * 1024 + 1024 + 2 * 2736 + 1024);
    const std::int64_t rest = 2 * (354'548'032 - 352'780'288);
    EXPECT_EQ(residentWeightBytes(*family, recipeOf(*family, "int8dq")),
              352'780'288 + 4 * rows + rest);
    EXPECT_EQ(residentWeightBytes(*family, recipeOf(*family, "float8dq-tensor")),
              352'780'288 + 4 * 112 + rest);
}

TEST(Recipes, GiveOneSchemeToAllStagesOrOneToEach)
{
    const auto family = published("350M-f16x64");
    const Recipe one = makeRecipe(*family, {"int8dq"}, "all").value();
    ASSERT_EQ(one.size(), 2U);
    EXPECT_EQ(one[0].scheme, namedScheme("int8dq"));
    EXPECT_EQ(one[1].scheme, namedScheme("int8dq"));
    const Recipe two = makeRecipe(*family, {"bf16", "float8dq-row"}, "mlp").value();
    EXPECT_EQ(two[0].scheme, namedScheme("bf16"));
    EXPECT_EQ(two[1].scheme, namedScheme("float8dq-row"));
    const auto rows = layerTable(*family, two);
    for (const LayerRow& row : rows)
        EXPECT_EQ(row.quantized(), row.stage == 1 && row.matched) << row.module;
    // Encoder in bf16, MLP of the decoder in float8.
    const std::int64_t mlp = 24 * 3 * 1024 * 2736;
    EXPECT_EQ(residentWeightBytes(*family, two),
              2 * 354'548'032 - mlp + 4 * 24 * (2 * 2736 + 1024));
}

TEST(Recipes, RefuseWhatDoesNotFit)
{
    const auto family = published("350M-f16x64");
    const auto message = [&](const std::vector<std::string>& schemes, const char* layers) {
        const auto recipe = makeRecipe(*family, schemes, layers);
        EXPECT_FALSE(recipe.ok());
        return recipe.ok() ? "" : recipe.error().message;
    };
    EXPECT_EQ(message({"bf16", "bf16", "bf16"}, "all"),
              "precision names 3 stages, but the model has 2");
    EXPECT_THAT(message({}, "all"), HasSubstr("precision names 0 stages"));
    EXPECT_THAT(message({"int9"}, "all"), HasSubstr("int9"));
    EXPECT_THAT(message({"bf16", "int9"}, "all"), HasSubstr("int9"));
    EXPECT_THAT(message({"bf16"}, "some"), HasSubstr("unknown scope"));
    EXPECT_DEATH((void)layerTable(*family, Recipe(3)), "recipe.size");
}

TEST(Recipes, SchemesWithoutConvolutionLeaveConvolutionsAlone)
{
    for (const Scheme& scheme : offeredSchemes()) {
        EXPECT_EQ(kindObjection(scheme, LayerKind::Linear), std::nullopt);
        const bool can = !composesLayers(scheme) || scheme->convolution != nullptr;
        EXPECT_EQ(kindObjection(scheme, LayerKind::Convolution).has_value(), !can) << scheme.text();
    }
    EXPECT_EQ(kindObjection(namedScheme("int8dq"), LayerKind::Convolution),
              "int8dq has no convolution");
    const Model resnet = openModel("resnet:18/10", "", 1).value().model;
    std::map<std::string, int> matched;
    for (const char* scheme : {"bf16", "bf16-autocast", "int8wo", "float8wo"}) {
        for (const LayerRow& row :
             layerTable(*resnet.family, makeRecipe(*resnet.family, {scheme}, "all").value())) {
            matched[scheme] += row.matched ? 1 : 0;
            if (row.module == "conv1") {
                EXPECT_EQ(row.reason, "stem, outside the blocks");
            }
        }
    }
    // "all" means the blocks: nineteen convolutions, neither the stem nor the head.
    EXPECT_EQ(matched, (std::map<std::string, int>{
                           {"bf16", 19}, {"bf16-autocast", 19}, {"int8wo", 19}, {"float8wo", 0}}));
}

TEST(Recipes, WeightsThatStagesShareCountOnce)
{
    const Model model = openModel("llama:w32_d2_h4_k2_f48_v80_tied", "", 1).value().model;
    const std::int64_t parameters = model.parameterCount();
    const auto resident = [&](std::vector<std::string> schemes, const char* layers) {
        return residentWeightBytes(*model.family,
                                   makeRecipe(*model.family, std::move(schemes), layers).value());
    };
    EXPECT_EQ(resident({"bf16"}, "all"), 2 * parameters);
    EXPECT_EQ(resident({"fp32", "bf16"}, "all"), 6 * parameters) << "two forms of each weight";
    const std::int64_t blocks = resident({"int8wo"}, "all");
    EXPECT_LT(blocks, 2 * parameters);
    EXPECT_EQ(resident({"int8wo"}, "every"), blocks + 80 * 32 + 80 * 4)
        << "codes and scales of the head, beside the embedding that it is tied to";
}

}  // namespace
}  // namespace qs::core
