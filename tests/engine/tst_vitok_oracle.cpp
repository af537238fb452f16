// The family, executed, against an independent PyTorch implementation
// (tests/golden/vitok/generate.py).

#include "core/engine/execute/executor.h"
#include "core/engine/weights/weight_loader.h"
#include "core/model/catalogue.h"
#include "core/model/image_inputs.h"
#include "core/model/vitok/blocks.h"
#include "core/model/vitok/patchify.h"
#include "core/model/vitok/vitok.h"
#include "tests/engine/family_pipeline.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/item.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <cmath>

namespace qs::engine {
namespace {

struct VitokCase {
    std::string folder;
    std::string type;
    core::DType dtype;
    double largestDifference;  // two times the distance of the type from fp32, see manifest.json
};

class VitokOracle : public ::testing::TestWithParam<VitokCase>
{
};

at::Tensor tensorOf(const core::HostTensor& host)
{
    if (const auto* floats = std::get_if<std::vector<float>>(&host.values))
        return at::from_blob(const_cast<float*>(floats->data()), host.shape, at::kFloat);
    const auto& whole = std::get<std::vector<std::int64_t>>(host.values);
    return at::from_blob(const_cast<std::int64_t*>(whole.data()), host.shape, at::kLong);
}

at::ScalarType torchType(core::DType dtype)
{
    return dtype == core::DType::Float32   ? at::kFloat
           : dtype == core::DType::Float16 ? at::kHalf
                                           : at::kBFloat16;
}

double largestDifference(const at::Tensor& result, const core::FloatArray& expected)
{
    const at::Tensor reference =
        at::from_blob(const_cast<float*>(expected.values.data()), expected.shape, at::kFloat);
    EXPECT_EQ(result.sizes(), reference.sizes());
    return (result.to(at::kFloat) - reference).abs().max().item<double>();
}

TEST_P(VitokOracle, EncoderAndDecoderAgree)
{
    const c10::InferenceMode guard;
    const VitokCase& test = GetParam();
    const auto folder = tests::dataFile("golden/vitok/" + test.folder);
    const auto opened = core::openModel(folder.string(), "", 0);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const core::Model& model = opened.value().model;
    const core::FloatArray pictures = core::readNpy(folder / "picture.npy").value();
    const core::HostTensors inputs = model.family->prepare(pictures).value();

    const core::vitok::Variant variant = core::vitok::parseVariant(model.variant).value();
    const core::vitok::StageShape shape{pictures.shape[0], inputs.at("patches").shape[1],
                                        test.dtype};
    WeightLoader loader = WeightLoader::create(model, c10::Device(c10::kCPU)).value();
    const auto everything = [](auto...) { return true; };

    const core::Graph encoder = core::vitok::buildEncoder(variant, shape).value();
    const StageWeights encoderWeights = loader.load(0, test.dtype, everything).value();
    const Executor encode =
        Executor::create(encoder, encoderWeights.tensors, c10::Device(c10::kCPU)).value();
    const at::Tensor rows = tensorOf(inputs.at("row_idx"));
    const at::Tensor columns = tensorOf(inputs.at("col_idx"));
    const at::Tensor code =
        encode.run({tensorOf(inputs.at("patches")).to(torchType(test.dtype)), rows, columns})[0];
    const auto expectedCode = core::readNpy(folder / ("code_" + test.type + ".npy")).value();
    EXPECT_LE(largestDifference(code, expectedCode), test.largestDifference);

    const core::Graph decoder = core::vitok::buildDecoder(variant, shape).value();
    const StageWeights decoderWeights = loader.load(1, test.dtype, everything).value();
    const Executor decode =
        Executor::create(decoder, decoderWeights.tensors, c10::Device(c10::kCPU)).value();
    const at::Tensor decoded = decode.run({code, rows, columns})[0].to(at::kFloat).contiguous();
    core::FloatArray tokens{decoded.sizes().vec(), {}};
    tokens.values.assign(decoded.const_data_ptr<float>(),
                         decoded.const_data_ptr<float>() + decoded.numel());
    const core::FloatArray result =
        core::vitok::unpatchify(tokens, variant.patch, pictures.shape[2] / variant.patch,
                                pictures.shape[3] / variant.patch)
            .value();
    const auto expected = core::readNpy(folder / ("output_" + test.type + ".npy")).value();
    EXPECT_LE(largestDifference(
                  at::from_blob(const_cast<float*>(result.values.data()), result.shape, at::kFloat),
                  expected),
              test.largestDifference);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, VitokOracle,
    ::testing::Values(VitokCase{"uneven", "fp32", core::DType::Float32, 2e-5},
                      VitokCase{"uneven", "bf16", core::DType::BFloat16, 0.042},
                      VitokCase{"uneven", "fp16", core::DType::Float16, 0.0044},
                      VitokCase{"head72", "fp32", core::DType::Float32, 2e-5},
                      VitokCase{"head72", "bf16", core::DType::BFloat16, 0.042},
                      VitokCase{"head72", "fp16", core::DType::Float16, 0.0044}),
    [](const auto& info) { return info.param.folder + "_" + info.param.type; });

struct ShapeCase {
    std::string name;
    core::Sizes sizes;  // beside the image size
};

class VitokShapes : public ::testing::TestWithParam<ShapeCase>
{
};

// Images that are not square, tokens under a mask, a band of attention: the pipeline of a cell,
// from square images to what is stored.
TEST_P(VitokShapes, AgreeWithTheOracle)
{
    const auto folder = tests::dataFile("golden/vitok/shapes");
    const core::FloatArray pictures = core::readNpy(folder / "picture.npy").value();
    core::ShapePoint shape{pictures.shape[0], GetParam().sizes};
    shape.sizes.set(core::kImageSize, pictures.shape[3]);
    const core::Model model = core::openModel(folder.string(), "", 0).value().model;
    ASSERT_TRUE(model.family->checkShape(shape).ok());
    const core::Graph encoder = model.family->buildStage(0, shape, core::DType::Float32).value();
    const core::Graph decoder = model.family->buildStage(1, shape, core::DType::Float32).value();
    const core::HostTensors inputs = core::inputsOfImages(*model.family, pictures, shape.sizes,
                                                          core::inputShapes({&encoder, &decoder}))
                                         .value();
    tests::FamilyPipeline made(folder.string(), shape, inputs);
    const core::FloatArray output =
        model.family->present(made.pipeline().runJudged(shape.batch, shape.batch), shape).value();
    const auto expected =
        core::readNpy(folder / ("output_" + GetParam().name + "_fp32.npy")).value();
    EXPECT_LE(tests::largestDifference(output, expected), 3e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, VitokShapes,
    ::testing::Values(
        ShapeCase{"height", {{"image_height", 22}}}, ShapeCase{"budget", {{"token_budget", 131}}},
        ShapeCase{"width", {{"image_width", 22}}}, ShapeCase{"window", {{"attention_window", 7}}},
        ShapeCase{"tall", {{"image_height", 34}, {"image_width", 21}, {"token_budget", 71}}},
        ShapeCase{"all", {{"image_height", 22}, {"token_budget", 71}, {"attention_window", 7}}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace qs::engine
