// Stages that Inductor compiles, on a GPU: every mode computes what eager does, and the ones with a
// graph launch one per stage.

#include "core/engine/cell_runner.h"
#include "core/engine/internal/backend.h"
#include "core/lower/compile_mode.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <string>

namespace qs::engine {
namespace {

class CudaPackages : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
    }

    core::CellResult measure(const std::string& precision, const std::string& compile)
    {
        core::CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w128_d2_h4-w192_d3_h3/1x8x16", 4, 64);
        request.config.device = "cuda:0";
        request.config.precision = {precision};
        request.config.compile = compile;
        request.cacheFolder = (m_folder.path() / "cache").string();
        request.profile = true;
        CellRunner runner;
        tests::SilentObserver observer;
        auto result = runner.run(request, observer);
        EXPECT_TRUE(result.ok()) << precision << " " << compile << ": "
                                 << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }

    tests::TestFolder m_folder;
};

TEST_F(CudaPackages, EachModeComputesWhatEagerDoes)
{
    for (const char* precision : {"bf16", "int8dq", "float8dq-row"}) {
        for (const char* mode : {"inductor-default", "inductor-reduce-overhead"}) {
            SCOPED_TRACE(std::string(precision) + " " + mode);
            const core::CellResult result = measure(precision, mode);
            if (result.compiles.size() != 2U)
                continue;
            EXPECT_LT(result.compiles[0].distanceToEager, 0.02);
            EXPECT_LT(result.compiles[1].distanceToEager, 0.02);
            EXPECT_EQ(result.graphLaunches, core::parseCompileMode(mode).value()->recorded ? 2 : 0);
            EXPECT_FALSE(core::anyMismatch(result.executed));
            EXPECT_TRUE(result.outputsFinite);
            std::cout << precision << " " << mode << ": cold " << result.compiles[0].coldSeconds
                      << " s, warm " << result.compiles[0].warmSeconds << " s";
            for (const core::CompilePart& part : result.compiles[0].coldParts)
                std::cout << ", " << part.name << " " << part.seconds;
            std::cout << "\n";
        }
    }
}

TEST_F(CudaPackages, RegionsComputeWhatEagerDoes)
{
    for (const char* precision : {"bf16", "int8dq"}) {
        for (const char* mode :
             {"regions:rope+norm+silu_gate", "regions-graph:rope+norm+silu_gate",
              "regions:mlp+qkv_split+attention_merge", "regions-graph:block:autotune=block"}) {
            SCOPED_TRACE(std::string(precision) + " " + mode);
            const core::CellResult result = measure(precision, mode);
            ASSERT_FALSE(result.compiles.empty());
            for (const core::StageCompile& region : result.compiles) {
                EXPECT_LT(region.distanceToEager, 0.02);
                ASSERT_TRUE(region.time);
                EXPECT_GT(region.time->compiledSeconds, 0.0);
                EXPECT_TRUE(region.time->launchSeconds);
                std::cout << precision << " " << region.stage << " " << region.part << ": cold "
                          << region.coldSeconds << " s, eager " << region.time->eagerSeconds * 1e6
                          << " us, compiled " << region.time->compiledSeconds * 1e6
                          << " us, launched in " << region.time->launchSeconds.value_or(0.0) * 1e6
                          << " us\n";
            }
            EXPECT_EQ(result.graphLaunches, core::parseCompileMode(mode).value()->recorded ? 2 : 0);
            EXPECT_FALSE(core::anyMismatch(result.executed));
            EXPECT_TRUE(result.outputsFinite);
        }
    }
}

}  // namespace
}  // namespace qs::engine
