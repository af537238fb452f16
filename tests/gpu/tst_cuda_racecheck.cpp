// Kernels of products, each of their shapes once, on operands so small that a checker which makes
// launches hundreds of times as long can follow: tests/gpu/check_node.sh looks for races with them.
// More than one tile in each direction, the last not whole; seven blocks of k, the last not whole,
// so that two and four blocks of Hopper share a tile.

#include "core/engine/compile/fused_kernel.h"
#include "core/engine/execute/executor.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/skinny_source.h"
#include "core/quant/scheme.h"
#include "tests/engine/product_graphs.h"
#include "tests/engine/random_tensor.h"
#include "tests/gpu/hopper.h"
#include "tests/gpu/product_shapes.h"
#include "tests/support/scheme_layer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::DType;
using core::ProductUnits;
using tests::isExactly;
using tests::isNear;
using tests::kGateDistance;
using tests::ProductSizes;

class CudaRacecheckProducts : public tests::ProductShapesTest,
                              public testing::WithParamInterface<ProductUnits>
{
protected:
    CudaRacecheckProducts() : ProductShapesTest(GetParam()) {}

    // How many kernels there are.
    struct Kinds {
        std::size_t plain;
        std::size_t hopper;
    };

    // On one processor a block computes all tiles, on many each its own, or some share one.
    void inAllShapes(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                     const tests::Check& check, const Kinds& kinds) const
    {
        const auto product = core::matrixProduct(graph, core::denseInputs(graph)).value();
        const std::vector<at::Tensor> given = there(inputs);
        std::set<std::string> texts;
        for (const int processors : {1, m_chip.processors}) {
            core::ProductChip chip = m_chip;
            chip.processors = processors;
            for (const core::ExpectedShape& each : core::expectedShapes(product, chip)) {
                SCOPED_TRACE(each.shape.name() + " on " + std::to_string(processors));
                const core::ProductSource source =
                    core::productSource(graph, core::denseInputs(graph),
                                        core::Division::ByReciprocal, each.shape,
                                        std::vector<bool>(inputs.size(), true))
                        .value();
                if (!texts.insert(source.text).second)
                    continue;
                const KernelSite site{graph, *m_backend, m_device, GetParam()};
                const auto kernel = productKernel(site, source);
                ASSERT_TRUE(kernel.ok()) << kernel.error().message;
                check(kernel.value()->run(given).front().cpu());
            }
        }
        EXPECT_EQ(texts.size(), GetParam() == ProductUnits::Plain ? kinds.plain : kinds.hopper);
    }
};

TEST_P(CudaRacecheckProducts, Int8WithResidual)
{
    const ProductSizes sizes{130, 160, 784};
    const auto inputs = tests::scaledInputs(sizes);
    inAllShapes(tests::scaledProduct(sizes), inputs, isExactly(tests::scaledResult(inputs)),
                {4, 15});
}

TEST_P(CudaRacecheckProducts, Float8WithGate)
{
    if (!m_chip.multiplies(core::ProductType::Float8))
        GTEST_SKIP() << "no units for float8";
    const ProductSizes sizes{130, 160, 784};
    const auto inputs = tests::float8Inputs(sizes);
    inAllShapes(tests::float8Gate(sizes), inputs,
                isNear(tests::float8Result(inputs), kGateDistance), {3, 15});
}

TEST_P(CudaRacecheckProducts, SixteenBitsWithGate)
{
    const ProductSizes sizes{130, 160, 392};
    const auto inputs = tests::halfInputs(DType::BFloat16, sizes);
    inAllShapes(tests::halfProduct(DType::BFloat16, sizes, true), inputs,
                isNear(tests::halfResult(inputs, true), kGateDistance), {3, 15});
}

TEST_P(CudaRacecheckProducts, SixteenBitsAlone)
{
    const ProductSizes sizes{130, 136, 392};
    const auto inputs = tests::halfInputs(DType::Float16, sizes);
    inAllShapes(tests::halfProduct(DType::Float16, sizes, false), inputs,
                isNear(tests::halfResult(inputs, false), kGateDistance), {4, 17});
}

INSTANTIATE_TEST_SUITE_P(Units, CudaRacecheckProducts,
                         testing::Values(ProductUnits::Plain, ProductUnits::Hopper),
                         [](const auto& of) {
                             return of.param == ProductUnits::Plain ? "Plain" : "Hopper";
                         });

// A layer with few rows, whose codes are widened in registers or streamed.
struct FewRows {
    const char* name;
    const char* scheme;
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
};

void PrintTo(const FewRows& each, std::ostream* out)
{
    *out << each.name;
}

class CudaRacecheckSkinny : public tests::HopperTest, public testing::WithParamInterface<FewRows>
{
};

// With few processors blocks have several items, one after the other.
TEST_P(CudaRacecheckSkinny, IsThatOfTheComposition)
{
    const FewRows& layer = GetParam();
    const core::StageProgram stage = tests::layerStage(core::parseScheme(layer.scheme).value(),
                                                       {layer.rows, layer.in}, layer.out, true);
    const core::RegionStage fused = core::fusedStage(stage, m_device).value();
    const core::Graph& graph = fused.programs.at(0).graph;
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> given;
    for (const core::ValueId id : graph.inputs) {
        inputs.push_back(tests::randomTensor(graph.value(id).type));
        given.push_back(inputs.back().to(m_backend->device()));
    }
    const at::Tensor expected =
        Executor::create(graph, {}, at::kCPU).value().run(inputs).front().to(at::kDouble);
    const KernelSite site{graph, *m_backend, m_device};
    for (const int processors : {4, m_device.processors}) {
        const auto sources =
            core::skinnySources(graph, core::denseInputs(graph), core::Division::ByReciprocal,
                                processors, true, std::vector<bool>(inputs.size(), true));
        for (const core::SkinnySource& source : sources.value()) {
            SCOPED_TRACE(source.name + " on " + std::to_string(processors));
            const auto kernel = skinnyKernel(site, source);
            ASSERT_TRUE(kernel.ok()) << kernel.error().message;
            isNear(expected, 0x1p-7)(kernel.value()->run(given).front().cpu());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Codes, CudaRacecheckSkinny,
                         testing::Values(FewRows{"NibblesWidened", "int4wo-32", 9, 1184, 152},
                                         FewRows{"NibblesStreamed", "int4wo-128", 9, 2048, 152},
                                         FewRows{"GroupsOf256", "int4wo-256", 3, 2048, 152},
                                         FewRows{"BytesStreamed", "int8wo", 16, 1040, 152},
                                         FewRows{"Float8Streamed", "float8wo", 1, 1040, 152},
                                         FewRows{"BytesWidened", "int4wo-128:tail=1", 3, 1168,
                                                 152}),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace qs::engine
