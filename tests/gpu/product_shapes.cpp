#include "tests/gpu/product_shapes.h"

#include "core/engine/compile/fused_kernel.h"
#include "core/lower/fused/product_source.h"
#include "tests/engine/product_graphs.h"

#include <ATen/ops/equal.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace qs::tests {

using core::ProductUnits;

Check isExactly(const at::Tensor& expected)
{
    return [expected](const at::Tensor& found) {
        EXPECT_TRUE(at::equal(found.to(at::kDouble), expected.to(at::kDouble)));
    };
}

Check isNear(const at::Tensor& expected, double distance)
{
    return [expected, distance](const at::Tensor& found) {
        EXPECT_LT(relativeDistance(found, expected.reshape(found.sizes())), distance);
    };
}

std::unique_ptr<TestFolder> ProductShapesTest::s_kernels;

void ProductShapesTest::SetUp()
{
    if (!engine::whyNoCuda().empty())
        GTEST_SKIP() << "no GPU: " << engine::whyNoCuda();
    m_backend = engine::makeCudaBackend(0).value();
    const char* kept = std::getenv("QS_TEST_KERNELS");
    m_backend->keepKernels(kept != nullptr ? std::filesystem::path(kept) : s_kernels->path());
    m_device = engine::describeCudaDevices().front();
    m_chip = core::productChip(m_device, m_units);
    if (m_chip.units != m_units)
        GTEST_SKIP() << "no units for it";
}

std::vector<at::Tensor> ProductShapesTest::there(const std::vector<at::Tensor>& inputs) const
{
    std::vector<at::Tensor> given;
    for (const at::Tensor& input : inputs)
        given.push_back(input.is_cuda() ? input : input.to(m_backend->device()));
    return given;
}

void ProductShapesTest::inEachShape(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                                    const Check& check) const
{
    const engine::KernelSite site{graph, *m_backend, m_device, m_units};
    const std::vector<at::Tensor> given = there(inputs);
    core::InputStrides strides;
    for (const at::Tensor& input : given)
        strides.push_back(input.strides().vec());
    // On one processor all tiles are about as good: none is left out. With Hopper's units only
    // where there are more do blocks share a tile; few are enough for large ones.
    std::vector<int> processors{1};
    if (m_units == ProductUnits::Hopper)
        processors.insert(processors.end(), {4, m_chip.processors});
    for (const int count : processors) {
        core::ProductChip chip = m_chip;
        chip.processors = count;
        const auto sources =
            core::productSources(graph, strides, core::Division::ByReciprocal, chip, {}).value();
        ASSERT_FALSE(sources.empty());
        for (const core::ProductSource& source : sources) {
            SCOPED_TRACE(source.shape.name() + " on " + std::to_string(count));
            const auto kernel = engine::productKernel(site, source);
            ASSERT_TRUE(kernel.ok()) << kernel.error().message;
            const at::Tensor found = kernel.value()->run(given).front().cpu();
            EXPECT_TRUE(at::equal(found.nan_to_num(),
                                  kernel.value()->run(given).front().cpu().nan_to_num()))
                << "the same twice";
            check(found);
        }
    }
}

}  // namespace qs::tests
