#include "core/engine/execute/evidence.h"

#include "core/engine/probe/describe.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gtest/gtest.h>

namespace qs::engine {
namespace {

// Stages of a small ViTok in int8dq, whose layers ask for integer products.
class Evidence : public ::testing::Test
{
protected:
    Evidence()
        : m_family(core::vitok::makeFamily(core::vitok::parseVariant("w64_d2_h4/1x8x16").value())),
          m_recipe(core::makeRecipe(*m_family, {"int8dq"}, "all").value()),
          m_program(core::lower(*m_family, {m_recipe, tests::imageShape(1, 64), {}}).value()),
          m_counts(m_program.stages.size()),
          m_weights(m_program.stages.size())
    {
        for (const core::ExecutedStage& stage : executed()) {
            for (const core::ExecutedProduct& each : stage.products)
                m_counts[place(stage)][{each.operation, each.type}] = *each.expected;
        }
    }

    [[nodiscard]] std::vector<core::ExecutedStage> executed() const
    {
        return executedStages(m_program, m_recipe, m_device, m_counts, m_weights);
    }
    [[nodiscard]] std::size_t place(const core::ExecutedStage& stage) const
    {
        std::size_t i = 0;
        while (m_program.stages[i].name != stage.stage)
            ++i;
        return i;
    }
    [[nodiscard]] core::Product integers() const
    {
        for (const auto& [product, count] : m_counts.front()) {
            if (product.type == core::DType::Int32)
                return product;
        }
        return {};
    }
    void leaveInBf16(int layers)
    {
        m_counts.front()[integers()] -= layers;
        m_counts.front()[kBf16] += layers;
    }
    [[nodiscard]] std::vector<const core::LayerRow*> quantized() const
    {
        std::vector<const core::LayerRow*> rows;
        for (const core::LayerRow& row : m_program.layers) {
            if (row.stage == 0 && row.quantized())
                rows.push_back(&row);
        }
        return rows;
    }

    const core::Product kBf16{"aten::linear", core::DType::BFloat16};
    std::shared_ptr<const core::ModelFamily> m_family;
    core::DeviceDescription m_device = describeDevice("cpu").value();
    core::Recipe m_recipe;
    core::Program m_program;
    std::vector<ProductCounts> m_counts;
    std::vector<WeightProducts> m_weights;
};

TEST_F(Evidence, NamesNoLayerWhereAllIsAsAsked)
{
    for (const core::ExecutedStage& stage : executed()) {
        EXPECT_FALSE(stage.mismatch());
        EXPECT_TRUE(stage.strays.empty());
    }
}

// What reads weights of 8 bits widens them and multiplies two matrices; Inductor calls that as it
// calls a linear layer.
TEST(EvidenceOfPackages, AProductOfMatricesIsALinearLayer)
{
    const auto family =
        core::vitok::makeFamily(core::vitok::parseVariant("w64_d2_h4/1x8x16").value());
    const core::Recipe recipe = core::makeRecipe(*family, {"int8wo"}, "all").value();
    const core::DeviceDescription device = describeDevice("cpu").value();
    for (const char* mode : {"none", "inductor-default", "regions:rope"}) {
        const auto program =
            core::lower(*family, {recipe, tests::imageShape(1, 64),
                                  core::parseCompileModes(mode, recipe.size()).value()});
        ASSERT_TRUE(program.ok()) << program.error().message;
        const std::size_t stages = program.value().stages.size();
        std::vector<ProductCounts> counts(stages);
        const std::vector<WeightProducts> weights(stages);
        const auto asked = executedStages(program.value(), recipe, device, counts, weights);
        const bool compiles = std::string(mode) != "none";
        for (std::size_t i = 0; i < stages; ++i) {
            for (const core::ExecutedProduct& each : asked[i].products) {
                EXPECT_FALSE(compiles && each.operation == "aten::mm") << mode;
                counts[i][{each.operation, each.type}] = *each.expected;
            }
            if (!compiles) {
                EXPECT_TRUE(counts[i].contains({"aten::mm", core::DType::BFloat16}));
            }
        }
        for (const core::ExecutedStage& stage :
             executedStages(program.value(), recipe, device, counts, weights))
            EXPECT_FALSE(stage.mismatch()) << mode;
    }
}

TEST_F(Evidence, NamesTheLayerWhoseWeightWentElsewhere)
{
    leaveInBf16(1);
    for (const core::LayerRow* row : quantized())
        m_weights.front()[row->weight + ":codes"] = integers();
    m_weights.front()[quantized()[1]->weight + ":codes"] = kBf16;
    const std::vector<core::StrayLayers> strays = executed().front().strays;
    ASSERT_EQ(strays.size(), 1U);
    EXPECT_EQ(strays[0].module, quantized()[1]->module);
    EXPECT_EQ(strays[0].weightShape, quantized()[1]->weightShape);
    EXPECT_EQ(strays[0].operation, kBf16.operation);
    EXPECT_EQ(strays[0].type, kBf16.type);
}

// Of a weight that is turned or widened first the call does not say.
TEST_F(Evidence, WhatIsLeftOverIsTheLayerThatNothingIsKnownOf)
{
    leaveInBf16(1);
    for (const core::LayerRow* row : quantized()) {
        if (row != quantized()[2])
            m_weights.front()[row->weight + ":codes"] = integers();
    }
    const std::vector<core::StrayLayers> strays = executed().front().strays;
    ASSERT_EQ(strays.size(), 1U);
    EXPECT_EQ(strays[0].module, quantized()[2]->module);
}

TEST_F(Evidence, WithoutNamesSaysHowManyOfWhichShape)
{
    leaveInBf16(1);
    std::vector<core::StrayLayers> strays = executed().front().strays;
    ASSERT_EQ(strays.size(), 1U);
    EXPECT_EQ(strays[0].module, "");
    EXPECT_EQ(strays[0].calls, 1);
    EXPECT_TRUE(strays[0].weightShape.empty()) << "layers differ";
    // All but two of one shape are known.
    std::vector<const core::LayerRow*> alike;
    for (const core::LayerRow* row : quantized()) {
        if (row->weightShape == quantized().back()->weightShape && alike.size() < 2)
            alike.push_back(row);
        else
            m_weights.front()[row->weight + ":codes"] = integers();
    }
    ASSERT_EQ(alike.size(), 2U);
    strays = executed().front().strays;
    ASSERT_EQ(strays.size(), 1U);
    EXPECT_EQ(strays[0].module, "");
    EXPECT_EQ(strays[0].weightShape, alike.front()->weightShape);
}

}  // namespace
}  // namespace qs::engine
