#include "core/model/resnet/resnet.h"

#include "core/base/npy.h"
#include "core/graph/cost.h"
#include "core/model/catalogue.h"
#include "core/model/safetensors/safetensors.h"
#include "tests/support/image_shape.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::dataFile;
using tests::imageShape;

Model resnetOf(const std::string& variant)
{
    return openModel("resnet:" + variant, "", 3).value().model;
}

TEST(Resnet, HasTheParametersOfThePublishedNetworks)
{
    EXPECT_EQ(resnetOf("18/10").parameterCount(), 11'181'642);
    EXPECT_EQ(resnetOf("18").parameterCount(), 11'689'512);
    EXPECT_EQ(resnetOf("34").parameterCount(), 21'797'672);
    // With buffers: 42.69 MiB; a file of torch.save has the counters of the norms as well.
    std::int64_t all = 0;
    const auto family = resnetOf("18/10").family;
    for (const WeightSpec& weight : family->stages()[0].weights)
        all += weight.elementCount();
    EXPECT_EQ(all - 11'181'642, 2 * 4800) << "means and variances of 4,800 channels";
}

TEST(Resnet, DoesTheWorkOfThePublishedNetwork)
{
    const Model model = resnetOf("18");
    const Graph graph = model.family->buildStage(0, imageShape(1, 224), DType::Float32).value();
    const Cost cost = costOf(graph);
    // 1.814 G multiply-adds.
    EXPECT_NEAR(cost.matmulFlops / 2.0, 1.814e9, 0.001e9);
    EXPECT_EQ(toText(graph.value(graph.outputs[0]).type), "float32[1, 1000]");
    EXPECT_EQ(cost.parameters, 11'689'512 + 2 * 4800);
}

TEST(Resnet, VariantsReadBack)
{
    for (const char* text : {"10/2", "18/10", "18/1000", "34/21841"})
        EXPECT_EQ(resnet::toText(resnet::parseVariant(text).value()), text);
    EXPECT_EQ(resnet::toText(resnet::parseVariant("18").value()), "18/1000");
    for (const char* text : {"", "19", "18/", "18/0", "18/x", "18/10/3", "18/9999999999999"})
        EXPECT_FALSE(resnet::parseVariant(text).ok()) << text;
}

TEST(Resnet, FiltersSeeStemBlocksAndHead)
{
    const auto family = resnetOf("18/10").family;
    EXPECT_EQ(family->layerPlace(0, "conv1").role, LayerRole::Stem);
    EXPECT_EQ(family->layerPlace(0, "fc").role, LayerRole::Head);
    const LayerPlace place = family->layerPlace(0, "layer3.1.conv2");
    EXPECT_EQ(place.role, LayerRole::Convolution);
    EXPECT_EQ(place.block, 5);
    EXPECT_EQ(place.blockCount, 8);
    EXPECT_EQ(family->layerPlace(0, "layer4.0.downsample.0").block, 6);
    EXPECT_EQ(family->layers(0).size(), 21U) << "twenty convolutions and the head";
}

TEST(Resnet, ChecksShapes)
{
    const auto family = resnetOf("18/10").family;
    for (const std::int64_t side : {1, 32, 33, 224, 16384})
        EXPECT_TRUE(family->checkShape(imageShape(1, side)).ok()) << side;
    for (const auto& shape : {imageShape(0, 32), imageShape(1, 0), imageShape(1, 16385),
                              imageShape(INT64_MAX, 224), ShapePoint{1, {}}})
        EXPECT_FALSE(family->checkShape(shape).ok());
}

TEST(Resnet, NormalisesImagesAsTheWeightsWereTrained)
{
    const FloatArray grey{{1, 3, 1, 2}, {0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 1.0F}};
    const auto cifar = resnetOf("18/10").family->prepare(grey).value().at("image");
    EXPECT_FLOAT_EQ(std::get<std::vector<float>>(cifar.values)[0], (0.5F - 0.4914F) / 0.2023F);
    const auto imageNet = resnetOf("18").family->prepare(grey).value().at("image");
    EXPECT_FLOAT_EQ(std::get<std::vector<float>>(imageNet.values)[5], (1.0F - 0.406F) / 0.225F);
    EXPECT_FALSE(resnetOf("18").family->prepare({{3, 1, 2}, {}}).ok());
}

class ResnetFiles : public testing::Test
{
protected:
    // The golden checkpoint without one of its tensors, or with one of another shape.
    std::filesystem::path without(const std::string& left, bool reshaped = false)
    {
        const SafetensorsFile file =
            openSafetensors(dataFile("golden/resnet/w4/model.safetensors")).value();
        std::vector<std::vector<std::byte>> bytes;
        std::vector<tests::TensorToWrite> tensors;
        bytes.reserve(file.tensors().size());
        for (const TensorEntry& entry : file.tensors()) {
            if (entry.name == left && !reshaped)
                continue;
            bytes.emplace_back(entry.bytes());
            EXPECT_TRUE(file.read(entry, bytes.back()).ok());
            auto shape = entry.shape;
            if (entry.name == left)
                shape = {entry.elements()};
            tensors.push_back({entry.name, entry.dtype, shape, bytes.back()});
        }
        const std::filesystem::path path = m_folder / "model.safetensors";
        EXPECT_TRUE(tests::writeSafetensors(path, tensors).ok());
        return path;
    }

    tests::TestFolder m_folder;
};

TEST_F(ResnetFiles, AreRecognisedByTheirNames)
{
    const auto opened = openModel(dataFile("golden/resnet/w4").string(), "", 0);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ(opened.value().model.variant, "w4_2_2_2_2/10");
    EXPECT_TRUE(opened.value().model.trained());
    EXPECT_THAT(opened.value().report.unexpected, ElementsAre());
    EXPECT_THAT(opened.value().model.contentId, testing::StartsWith("sha256:"));
    const auto file = inspectModel(dataFile("golden/resnet/w4/model.safetensors").string(), "", 0);
    EXPECT_TRUE(file.usable());
    EXPECT_GT(file.fileBytes, 100'000U);
}

TEST_F(ResnetFiles, WhatIsMissingOrWrongIsListed)
{
    const auto lacking = openModel(without("layer2.0.downsample.1.running_var").string(), "", 0);
    ASSERT_FALSE(lacking.ok());
    EXPECT_THAT(lacking.error().message, HasSubstr("layer2.0.downsample.1.running_var [8]"));
    const auto flat = openModel(without("layer1.1.conv2.weight", true).string(), "", 0);
    ASSERT_FALSE(flat.ok());
    EXPECT_THAT(flat.error().message, HasSubstr("architecture [4, 4, 3, 3]"));
    const auto headless = openModel(without("fc.weight").string(), "", 0);
    ASSERT_FALSE(headless.ok());
    EXPECT_THAT(headless.error().message, HasSubstr("no ResNet of basic blocks"));
}

}  // namespace
}  // namespace qs::core
