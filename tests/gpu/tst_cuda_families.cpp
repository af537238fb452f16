// Every family on a GPU, small, with all the operations and states it has: eager and recorded give
// the same bits, and what the CPU gives. Also what a checker of memory runs (check_node.sh).

#include "core/engine/cell_runner.h"
#include "core/engine/internal/backend.h"

#include "core/base/npy.h"
#include "core/model/catalogue.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

struct Case {
    const char* name;
    const char* model;
    core::Sizes sizes;
    std::vector<std::string> precisions;
};

std::vector<Case> cases()
{
    return {
        {"ViTok",
         "vitok:w64_d1_h2-w64_d2_h2/1x8x16",
         {{"image_size", 32}},
         {"fp32", "bf16", "int8dq", "float8dq-row", "int4wo-32"}},
        {"ResNet", "resnet:18/10", {{"image_size", 32}}, {"fp32", "bf16", "int8wo"}},
        {"Llama",
         "llama:w64_d2_h4_k2_f96_v80",
         {{"new_tokens", 3}, {"prompt_tokens", 5}},
         {"fp32", "bf16", "int8dq", "float8dq-row"}},
        {"OlmoEarth", "olmoearth:w32_d1_h2", {}, {"fp32", "bf16", "int8dq"}},
    };
}

class CudaFamilies : public ::testing::TestWithParam<Case>
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
    }

    core::CellResult run(const std::string& precision, const std::string& device,
                         const std::string& compile)
    {
        core::CellRequest request = tests::smallCell(m_folder.path(), GetParam().model, 2, 32);
        request.config.precision = {precision};
        request.config.device = device;
        request.config.compile = compile;
        request.config.sizes = smallest();
        request.keptOutputs = 1;
        CellRunner runner;
        tests::SilentObserver silent;
        auto result = runner.run(request, silent);
        EXPECT_TRUE(result.ok()) << precision << " " << compile << " on " << device << ": "
                                 << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }

    // Those that the family has, as small as it can be, and what the case says.
    static core::Sizes smallest()
    {
        const core::Model model = core::openModel(GetParam().model, "", 42).value().model;
        core::Sizes sizes = model.family->workload().smallestShape().sizes;
        for (const auto& [name, value] : GetParam().sizes)
            sizes.set(name, value);
        return sizes;
    }

    std::vector<float> output(const core::CellResult& result)
    {
        EXPECT_FALSE(result.outputs.empty());
        return core::readNpy(m_folder / result.outputs.front().file).value().values;
    }

    tests::TestFolder m_folder;
};

double relativeL2(const std::vector<float>& a, const std::vector<float>& b)
{
    double error = 0.0;
    double power = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error += std::pow(double(a[i]) - double(b[i]), 2.0);
        power += std::pow(double(b[i]), 2.0);
    }
    return std::sqrt(error / power);
}

TEST_P(CudaFamilies, ARecordedPassGivesTheBitsOfTheEagerOne)
{
    for (const std::string& precision : GetParam().precisions) {
        const auto eager = run(precision, "cuda:0", "none");
        const auto recorded = run(precision, "cuda:0", "cuda-graph");
        ASSERT_EQ(eager.outputs.size(), recorded.outputs.size());
        for (std::size_t i = 0; i < eager.outputs.size(); ++i)
            EXPECT_EQ(eager.outputs[i].sha256, recorded.outputs[i].sha256) << precision;
        EXPECT_GT(recorded.graphLaunches, 0) << precision;
        EXPECT_TRUE(eager.outputsFinite) << precision;
    }
}

TEST_P(CudaFamilies, AgreesWithTheCpuInFp32)
{
    const std::vector<float> gpu = output(run("fp32", "cuda:0", "none"));
    const std::vector<float> cpu = output(run("fp32", "cpu", "none"));
    ASSERT_EQ(gpu.size(), cpu.size());
    EXPECT_LT(relativeL2(gpu, cpu), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, CudaFamilies, ::testing::ValuesIn(cases()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace qs::engine
