#pragma once

#include "core/engine/internal/backend.h"
#include "core/lower/fused/product_units.h"
#include "tests/support/test_folder.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

namespace qs::tests {

using Check = std::function<void(const at::Tensor&)>;
[[nodiscard]] Check isExactly(const at::Tensor& expected);
// See relativeDistance.
[[nodiscard]] Check isNear(const at::Tensor& expected, double distance);
// Of a gate: four roundings to 8 digits, of which few elements may have the largest at once.
inline constexpr double kGateDistance = 0.01;

// Products by these units of the first GPU, in each of their shapes; skipped where it has none.
// A suite compiles each kernel once, or keeps it in the folder in QS_TEST_KERNELS, see HopperTest.
class ProductShapesTest : public testing::Test
{
protected:
    explicit ProductShapesTest(core::ProductUnits units) : m_units(units) {}

    static void SetUpTestSuite() { s_kernels = std::make_unique<TestFolder>(); }
    static void TearDownTestSuite() { s_kernels.reset(); }
    void SetUp() override;

    [[nodiscard]] std::vector<at::Tensor> there(const std::vector<at::Tensor>& inputs) const;
    void inEachShape(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                     const Check& check) const;

    c10::InferenceMode m_inference;
    std::unique_ptr<engine::Backend> m_backend;
    core::DeviceDescription m_device;
    core::ProductChip m_chip;

private:
    static std::unique_ptr<TestFolder> s_kernels;

    core::ProductUnits m_units;
};

}  // namespace qs::tests
