// The family, executed, against an independent PyTorch implementation in float64
// (tests/golden/resnet/generate.py).

#include "core/base/npy.h"
#include "core/engine/weights/storage_audit.h"
#include "core/model/safetensors/safetensors.h"
#include "tests/engine/family_pipeline.h"
#include "tests/support/image_shape.h"
#include "tests/support/test_folder.h"

#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::dataFile;
using tests::FamilyPipeline;
using tests::largestDifference;

core::FloatArray golden(const std::string& name)
{
    return core::readNpy(dataFile("golden/resnet/w4/" + name + ".npy")).value();
}

class ResnetOracle : public testing::Test
{
protected:
    [[nodiscard]] static FamilyPipeline run(const std::string& precision)
    {
        const std::string folder = dataFile("golden/resnet/w4").string();
        const auto family = core::openModel(folder, "", 0).value().model.family;
        const core::FloatArray images = golden("images");
        FamilyPipeline model(folder, tests::imageShape(images.shape[0], images.shape[2]),
                             family->prepare(images).value(), precision);
        model.pipeline().run();
        return model;
    }

private:
    c10::InferenceMode m_guard;
};

TEST_F(ResnetOracle, LogitsAgreeInFloat32)
{
    FamilyPipeline model = run("fp32");
    EXPECT_EQ(model.model().variant, "w4_2_2_2_2/10");
    EXPECT_LE(largestDifference(model.pipeline().output(), golden("logits")), 1e-5);
}

TEST_F(ResnetOracle, TheUsualMistakesWouldBeSeen)
{
    const core::FloatArray logits = run("fp32").pipeline().output();
    for (const char* slip : {"eps", "norm_order", "stride_place", "padding"})
        EXPECT_GE(largestDifference(logits, golden(std::string("slip_") + slip)), 0.01) << slip;
}

TEST_F(ResnetOracle, NarrowTypesAndStoredWeightsStayNear)
{
    const core::FloatArray exact = golden("logits");
    for (const char* precision : {"bf16", "bf16-autocast", "int8wo", "int8dq", "fp16"}) {
        FamilyPipeline model = run(precision);
        const double distance = largestDifference(model.pipeline().output(), exact);
        EXPECT_LE(distance, 0.06) << precision;
        EXPECT_GT(distance, 1e-6) << precision;
    }
}

// int8 weight-only convolutions are what they are by hand: weights rounded to 255 steps a channel.
TEST_F(ResnetOracle, ConvolutionsKeepTheirSchemeUntilTheRunnerExpandsThem)
{
    FamilyPipeline model = run("int8wo");
    std::size_t convolutions = 0;
    for (const core::Node& node : model.program().stages[0].graph.nodes)
        convolutions += node.operation->name == core::kQsConv ? 1 : 0;
    EXPECT_EQ(convolutions, 20U);
    const NamedTensors& tensors = model.weights()[0].tensors;
    EXPECT_FALSE(tensors.contains("layer1.0.conv1.weight"));
    const at::Tensor& codes = tensors.at("layer1.0.conv1.weight:codes");
    EXPECT_EQ(codes.scalar_type(), at::kChar);
    EXPECT_EQ(codes.size(1), 4 * 3 * 3) << "one row for each output channel";
    for (const AuditedWeight& weight :
         auditStorage(*model.model().family, model.recipe(), model.weights()))
        EXPECT_EQ(weight.fault, std::nullopt) << weight.name;
    EXPECT_EQ(residentBytes(model.weights()),
              core::residentWeightBytes(*model.model().family, model.recipe()));
}

TEST_F(ResnetOracle, SchemesWithoutConvolutionSaySo)
{
    FamilyPipeline model = run("int8dq");
    for (const core::LayerRow& row : model.program().layers) {
        const bool convolution = row.kind == core::LayerKind::Convolution;
        if (row.module == "fc") {
            EXPECT_FALSE(convolution);
            EXPECT_THAT(row.reason, testing::HasSubstr("multiple")) << "ten classes";
            continue;
        }
        EXPECT_TRUE(convolution) << row.module;
        EXPECT_FALSE(row.matched);
        EXPECT_EQ(row.reason, "int8dq has no convolution");
    }
}

}  // namespace
}  // namespace qs::engine
