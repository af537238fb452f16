// Every operation of the catalogue, executed, gives PyTorch's values (tests/golden/operations):
// arguments, lists with None and what is left out reach it as they were written.

#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "tests/support/golden_operations.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <map>

namespace qs::engine {
namespace {

at::Tensor tensorOf(const tests::GoldenTensor& golden)
{
    const at::Tensor flat =
        std::visit([](const auto& values) { return at::tensor(values); }, golden.values);
    return flat.to(toTorch(golden.type.dtype)).reshape(golden.type.shape);
}

TEST(Operations, GiveTheValuesOfPyTorch)
{
    const c10::InferenceMode guard;
    const c10::Device cpu(c10::kCPU);
    std::map<std::string, int> ran;
    for (const tests::GoldenCall& call : tests::goldenCalls()) {
        // Its second factor must lie by columns, which a graph of one call cannot say.
        if (call.operation == "aten::_scaled_mm")
            continue;
        SCOPED_TRACE(core::toText(call.graph));
        const auto executor = Executor::create(call.graph, {}, cpu);
        ASSERT_TRUE(executor.ok()) << executor.error().message;
        std::vector<at::Tensor> inputs;
        for (const tests::GoldenTensor& input : call.inputs)
            inputs.push_back(tensorOf(input));
        const std::vector<at::Tensor> results = executor.value().run(inputs);
        ASSERT_EQ(results.size(), call.results.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            const at::Tensor expected = tensorOf(call.results[i]);
            EXPECT_EQ(results[i].scalar_type(), expected.scalar_type());
            ASSERT_EQ(results[i].sizes(), expected.sizes());
            EXPECT_TRUE(
                at::allclose(results[i].to(at::kDouble), expected.to(at::kDouble), 1e-5, 1e-6));
        }
        ++ran[call.operation];
    }
    EXPECT_GT(ran.size(), 120U);
}

}  // namespace
}  // namespace qs::engine
