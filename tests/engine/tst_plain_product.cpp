// Products by the instructions of a warp: the kernel, with all its threads on this machine, against
// whole numbers and float64; and what the compiler makes of it for each GPU that runs it.

#include "core/engine/execute/executor.h"
#include "core/kernels/generated_kernel.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_source.h"
#include "core/quant/scheme.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/host_kernels.h"
#include "tests/engine/product_graphs.h"
#include "tests/engine/random_tensor.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::engine {
namespace {

using core::DType;
using core::ProductUnits;
using tests::ProductSizes;

struct PlainCase {
    std::string name;
    core::Graph graph;
    std::vector<at::Tensor> inputs;
    at::Tensor expected;
    double distance;  // at most
};

PlainCase whole(const ProductSizes& sizes)
{
    const std::vector<at::Tensor> inputs{tests::codes(sizes.m, sizes.k),
                                         tests::codes(sizes.n, sizes.k)};
    return {"whole " + std::to_string(sizes.k), tests::wholeProduct(sizes), inputs,
            tests::exactSums(inputs[0], inputs[1]).to(at::kInt), 0.0};
}

// Rows that are apart, and some that the last piece of k has only a part of.
PlainCase apart(const ProductSizes& sizes)
{
    PlainCase of = whole(sizes);
    const at::Tensor a = tests::codes(sizes.m, 160).narrow(1, 0, sizes.k);
    const at::Tensor w = tests::codes(sizes.n, 192).narrow(1, 16, sizes.k);
    of.inputs = {a, w};
    of.expected = tests::exactSums(a, w).to(at::kInt);
    return of;
}

PlainCase scaled(const ProductSizes& sizes)
{
    const auto inputs = tests::scaledInputs(sizes);
    return {"scaled", tests::scaledProduct(sizes), inputs, tests::scaledResult(inputs), 0.0};
}

// Both halves, the gate and their product are rounded to 16 bits.
constexpr double kFourRoundings = 4 * 0x1p-9;

PlainCase float8(const ProductSizes& sizes)
{
    const auto inputs = tests::float8Inputs(sizes);
    return {"float8", tests::float8Gate(sizes), inputs, tests::float8Result(inputs),
            kFourRoundings};
}

PlainCase half(DType type, const ProductSizes& sizes, bool gates)
{
    const auto inputs = tests::halfInputs(type, sizes);
    return {std::string(core::name(type)), tests::halfProduct(type, sizes, gates), inputs,
            tests::halfResult(inputs, gates), kFourRoundings};
}

// Rows and columns that no tile divides, k in less than a block and in more than there are stages,
// with every number of neighbours.
std::vector<PlainCase> plainCases()
{
    return {whole({1, 8, 16}),
            whole({130, 136, 48}),
            whole({33, 64, 656}),
            apart({70, 72, 139}),
            scaled({65, 88, 96}),
            float8({33, 176, 80}),
            float8({17, 64, 640}),
            half(DType::BFloat16, {33, 80, 72}, true),
            half(DType::BFloat16, {18, 200, 200}, false),
            half(DType::Float16, {40, 128, 64}, true)};
}

TEST(PlainProducts, AreThoseOfTheirOperationsInEachShape)
{
    const c10::InferenceMode inference;
    const tests::TestFolder folder;
    const std::vector<PlainCase> cases = plainCases();
    std::vector<const core::Graph*> groups;
    std::vector<core::InputStrides> strides;
    std::vector<const PlainCase*> caseOf;
    std::set<std::string> shapes;
    for (const PlainCase& each : cases) {
        core::InputStrides own;
        for (const at::Tensor& input : each.inputs)
            own.push_back(input.strides().vec());
        for (const core::ProductShape& shape :
             core::productShapes(core::matrixProduct(each.graph, own).value(), tests::kHostChip)) {
            groups.push_back(&each.graph);
            strides.push_back(own);
            caseOf.push_back(&each);
            shapes.insert(shape.name());
        }
    }
    EXPECT_EQ(shapes.size(), 4U) << "all of them";
    const tests::HostKernels kernels(groups, strides, folder.path(), ProductUnits::Plain);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const PlainCase& of = *caseOf[i];
        const at::Tensor found = kernels.run(i, of.inputs).front();
        const at::Tensor expected = of.expected.reshape(found.sizes());
        if (of.distance == 0.0)
            EXPECT_TRUE(at::equal(found, expected)) << of.name << " " << i;
        else
            EXPECT_LT(tests::relativeDistance(found, expected), of.distance) << of.name << " " << i;
    }
}

// As int8dq has it with few rows: the kernel reads them, its composition more.
TEST(PlainProducts, OfFewRowsReadNoneThatAreThereForALibrary)
{
    const c10::InferenceMode inference;
    const core::StageProgram layer =
        tests::layerStage(core::parseScheme("int8dq").value(), {5, 336}, 72, true);
    const core::RegionStage stage = core::fusedStage(layer, core::commonGpus().front()).value();
    const core::Graph& graph = stage.programs.back().graph;
    const core::InputStrides strides = core::denseInputs(graph);
    ASSERT_EQ(core::matrixProduct(graph, strides).value().a.rows, 5);
    std::vector<at::Tensor> inputs;
    for (const core::ValueId id : graph.inputs)
        inputs.push_back(tests::randomTensor(graph.value(id).type));
    const tests::TestFolder folder;
    const tests::HostKernels kernels({&graph}, {strides}, folder.path(), ProductUnits::Plain);
    const auto expected = Executor::create(graph, {}, tests::kCpu).value().run(inputs).front();
    EXPECT_TRUE(at::equal(kernels.run(0, inputs).front(), expected));
}

struct Capability {
    int major;
    int minor;
};

class PlainKernels : public testing::TestWithParam<Capability>
{
};

// No device is needed to compile for one.
TEST_P(PlainKernels, CompileForGpus)
{
    core::DeviceDescription device = core::commonGpus().front();
    device.computeMajor = GetParam().major;
    device.computeMinor = GetParam().minor;
    const core::ProductChip chip = core::productChip(device, ProductUnits::Plain);
    std::set<std::string> tiles;
    for (const PlainCase& each :
         {scaled({256, 1024, 1024}), scaled({4000, 4096, 1024}), float8({32, 512, 640}),
          half(DType::BFloat16, {512, 2048, 512}, true),
          half(DType::Float16, {100, 264, 72}, false)}) {
        if (each.name == "float8" && !chip.multiplies(core::ProductType::Float8))
            continue;
        const auto sources =
            core::productSources(each.graph, core::denseInputs(each.graph),
                                 core::Division::ByReciprocal, chip,
                                 std::vector<bool>(each.graph.inputs.size(), false))
                .value();
        for (const core::ProductSource& source : sources) {
            tiles.insert(source.shape.name());
            const auto code = core::compileKernel(core::cudaPrelude() + source.text,
                                                  device.computeMajor, device.computeMinor);
            EXPECT_TRUE(code.ok()) << code.error().message << source.text;
        }
    }
    EXPECT_EQ(tiles.size(), 4U) << "all of them";
}

INSTANTIATE_TEST_SUITE_P(Capabilities, PlainKernels,
                         testing::Values(Capability{8, 0}, Capability{8, 6}, Capability{8, 9},
                                         Capability{9, 0}),
                         [](const auto& of) {
                             return std::to_string(of.param.major) + std::to_string(of.param.minor);
                         });

}  // namespace
}  // namespace qs::engine
