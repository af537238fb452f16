// Products with few rows of codes: the kernel, with all its threads on this machine, against the
// composition that defines it.

#include "core/engine/execute/executor.h"
#include "core/kernels/generated_kernel.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/skinny_source.h"
#include "core/lower/region_writer.h"
#include "core/quant/scheme.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/host_kernels.h"
#include "tests/engine/random_tensor.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using tests::kCpu;

struct SkinnyLayer {
    const char* scheme;
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
    bool bias = true;
};

void PrintTo(const SkinnyLayer& layer, std::ostream* out)
{
    *out << layer.scheme << " " << layer.rows << "x" << layer.in << "x" << layer.out;
}

// One and several tiles of rows, k in less than a step, in several, and in some that are not whole;
// columns of which the last block has half.
const SkinnyLayer kSkinnyLayers[] = {
    {"int4wo-32", 1, 64, 8},
    {"int4wo-128", 7, 1152, 40, false},
    {"int4wo-64", 16, 4160, 24},
    {"int4wo-32:rest=fp16", 9, 96, 16},
    {"int4wo-128:tail=1", 3, 144, 8},
    {"gptq-int4-32:order=none", 16, 128, 48},
    {"int8wo", 1, 16, 8},
    {"int8wo", 8, 688, 24, false},
    {"int8wo", 13, 2064, 16},
    {"int8wo:rest=fp16", 4, 128, 8},
    {"float8wo", 2, 144, 24},
    {"int4wo-32", 5, 512, 200},
    {"int8wo", 11, 1024, 136},
    {"gptq-int4-128:order=none", 16, 2304, 72, false},
    {"int4wo-128", 7, 1280, 40, false},
    {"int4wo-128", 9, 2048, 136},
    {"int4wo-128:rest=fp16", 2, 3840, 24},
    {"int4wo-256", 3, 2048, 40},
    {"float8wo", 9, 1040, 40, false},
    {"float8wo:rest=fp16", 3, 2048, 72},
};

core::StageProgram skinnyStage(const SkinnyLayer& layer)
{
    const core::Scheme scheme = core::parseScheme(layer.scheme).value();
    return tests::layerStage(scheme, {layer.rows, layer.in}, layer.out, layer.bias);
}

// The only program of the stage.
core::RegionProgram onlyProgramOf(const SkinnyLayer& layer)
{
    core::RegionStage stage =
        core::fusedStage(skinnyStage(layer), core::commonGpus().front()).value();
    EXPECT_EQ(stage.programs.size(), 1U);
    for (const core::Node& node : stage.graph.nodes)
        EXPECT_TRUE(node.operation->name == core::kQsRegion || core::isView(node));
    return stage.programs.front();
}

struct Results {
    at::Tensor found;
    at::Tensor expected;
};

// The kernels of all layers, compiled at once.
class SkinnyKernelsOfLayers final
{
public:
    SkinnyKernelsOfLayers()
    {
        std::vector<const core::Graph*> groups;
        std::vector<core::InputStrides> strides;
        for (const SkinnyLayer& layer : kSkinnyLayers)
            m_programs.push_back(onlyProgramOf(layer));
        for (const core::RegionProgram& program : m_programs) {
            groups.push_back(&program.graph);
            strides.push_back(core::denseInputs(program.graph));
            m_sources.push_back(core::skinnySources(program.graph, strides.back(),
                                                    core::Division::Exact, 1, true, {})
                                    .value()
                                    .front()
                                    .text);
        }
        m_kernels.emplace(groups, strides, m_folder.path());
    }

    [[nodiscard]] const std::string& source(std::size_t i) const { return m_sources.at(i); }
    using Change = std::function<void(at::Tensor&)>;
    static void keep(at::Tensor&) {}
    [[nodiscard]] Results run(std::size_t i, const Change& changeFirstOperand,
                              const Change& changeCodes = keep) const
    {
        const core::Graph& graph = m_programs[i].graph;
        std::vector<at::Tensor> inputs;
        for (const core::ValueId id : graph.inputs) {
            const core::TensorType& type = graph.value(id).type;
            inputs.push_back(tests::randomTensor(type));
            if (type.shape == std::vector{kSkinnyLayers[i].rows, kSkinnyLayers[i].in})
                changeFirstOperand(inputs.back());
            else if (inputs.back().element_size() == 1)
                changeCodes(inputs.back());
        }
        return {m_kernels->run(i, inputs)[0],
                Executor::create(graph, {}, kCpu).value().run(inputs)[0]};
    }

private:
    tests::TestFolder m_folder;
    std::vector<core::RegionProgram> m_programs;
    std::vector<std::string> m_sources;
    std::optional<tests::HostKernels> m_kernels;
};

class SkinnyProducts : public testing::Test
{
protected:
    static void SetUpTestSuite() { s_kernels = std::make_unique<SkinnyKernelsOfLayers>(); }
    static void TearDownTestSuite() { s_kernels.reset(); }

    c10::InferenceMode m_inference;
    static std::unique_ptr<SkinnyKernelsOfLayers> s_kernels;
};

std::unique_ptr<SkinnyKernelsOfLayers> SkinnyProducts::s_kernels;

// Whether codes are multiplied as they are, and their sum is scaled: all that a warp multiplies at
// once have one scale, and scales of a row begin at whole words.
bool scalesTheSum(const SkinnyLayer& layer)
{
    const std::string scheme = layer.scheme;
    const bool isOfGroups =
        scheme.find("-128") != std::string::npos || scheme.find("-256") != std::string::npos;
    return scheme.find("8wo") != std::string::npos ||
           (isOfGroups && scheme.find("tail") == std::string::npos && layer.in != 1152);
}

// A one in each row of the first operand: every sum is a weight.
void takeOneOfEach(at::Tensor& x)
{
    x.zero_();
    for (std::int64_t row = 0; row < x.size(0); ++row)
        x[row][row * 37 % x.size(1)] = 1.0;
}

TEST_F(SkinnyProducts, WidenWeightsAsTheCompositionDoes)
{
    for (std::size_t i = 0; i < std::size(kSkinnyLayers); ++i) {
        // Sums that are scaled have a zero added to them that weights are rounded with.
        if (scalesTheSum(kSkinnyLayers[i]) &&
            std::string(kSkinnyLayers[i].scheme).find("int4wo") != std::string::npos)
            continue;
        const Results results = s_kernels->run(i, takeOneOfEach);
        EXPECT_TRUE(at::equal(results.found, results.expected))
            << testing::PrintToString(kSkinnyLayers[i]);
    }
}

// Sums are added up in another order, and then rounded to 8 or 11 digits.
TEST_F(SkinnyProducts, AreThoseOfTheComposition)
{
    for (std::size_t i = 0; i < std::size(kSkinnyLayers); ++i) {
        const Results results = s_kernels->run(i, SkinnyKernelsOfLayers::keep);
        const at::Tensor difference = (results.found - results.expected).to(at::kDouble);
        EXPECT_LT(difference.norm().item<double>(),
                  0.004 * results.expected.to(at::kDouble).norm().item<double>())
            << testing::PrintToString(kSkinnyLayers[i]);
    }
}

// Numbers too small for a leading one, and what is no number, among them.
TEST_F(SkinnyProducts, WidenEveryCodeOfFloat8)
{
    constexpr std::int64_t kRowsOfNumbers = 20;
    int layers = 0;
    for (std::size_t i = 0; i < std::size(kSkinnyLayers); ++i) {
        if (!std::string(kSkinnyLayers[i].scheme).starts_with("float8wo"))
            continue;
        ++layers;
        const Results results = s_kernels->run(i, takeOneOfEach, [](at::Tensor& codes) {
            at::Tensor bytes = codes.view(at::kByte);
            bytes.copy_(at::arange(bytes.numel()).remainder(256).view_as(bytes));
            const at::Tensor numbers = bytes.narrow(0, 0, kRowsOfNumbers);
            numbers.masked_fill_(numbers.bitwise_and(127).eq(127), 1);
        });
        EXPECT_TRUE(at::allclose(results.found, results.expected, 0.0, 0.0, true));
        EXPECT_EQ(results.found.isnan().sum().item<std::int64_t>(),
                  kSkinnyLayers[i].rows * (kSkinnyLayers[i].out - kRowsOfNumbers));
    }
    EXPECT_EQ(layers, 3);
}

TEST_F(SkinnyProducts, ScaleTheSumOfCodes)
{
    int scaled = 0;
    for (std::size_t i = 0; i < std::size(kSkinnyLayers); ++i) {
        const std::string& text = s_kernels->source(i);
        EXPECT_EQ(text.find("kStages = ") != std::string::npos, scalesTheSum(kSkinnyLayers[i]))
            << testing::PrintToString(kSkinnyLayers[i]);
        scaled += scalesTheSum(kSkinnyLayers[i]) ? 1 : 0;
    }
    EXPECT_GE(scaled, 2);
}

class SkinnyKernels : public testing::TestWithParam<SkinnyLayer>
{
};

TEST_P(SkinnyKernels, CompileForGpus)
{
    const core::RegionProgram program = onlyProgramOf(GetParam());
    constexpr int kProcessors = 132;
    const auto sourcesFor = [&](bool hasClusters) {
        return core::skinnySources(program.graph, core::denseInputs(program.graph),
                                   core::Division::ByReciprocal, kProcessors, hasClusters,
                                   std::vector<bool>(program.graph.inputs.size(), true));
    };
    const auto sources = sourcesFor(true);
    ASSERT_TRUE(sources.ok()) << sources.error().message;
    const bool isWhole = std::string(GetParam().scheme).find("tail") == std::string::npos;
    const bool isNibbles = std::string(GetParam().scheme).find("int4") != std::string::npos;
    EXPECT_THAT(sources.value().front().name,
                testing::HasSubstr(isNibbles && isWhole ? "4bit" : "8bit"));
    for (const int major : {9, 8}) {
        const std::string text = sourcesFor(major == 9).value().front().text;
        const auto code = core::compileKernel(core::cudaPrelude() + text, major, 0);
        EXPECT_TRUE(code.ok()) << code.error().message << text;
    }
}

// Nibbles in both types, one and two tiles; bytes of both kinds.
INSTANTIATE_TEST_SUITE_P(Layers, SkinnyKernels,
                         testing::Values(kSkinnyLayers[2], kSkinnyLayers[3], kSkinnyLayers[4],
                                         kSkinnyLayers[7], kSkinnyLayers[10]));

}  // namespace
}  // namespace qs::engine
