#include "core/engine/probe/pass_profiler.h"

#include "core/engine/cell_runner.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace qs::engine {
namespace {

using core::PassProfile;
using core::WorkKind;

class Silent final : public CellObserver
{
public:
    void phaseStarted(core::Phase phase) override { static_cast<void>(phase); }
    bool progressed(double fraction) override { return fraction >= 0.0; }
    bool goesOn() override { return true; }
};

class PassProfiler : public ::testing::Test
{
protected:
    core::CellResult run(const std::string& precision, bool profile = true)
    {
        core::CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w48_d2_h3/1x8x16", 3, 32);
        request.config.precision = {precision};
        request.config.batch = 2;
        request.profile = profile;
        Silent observer;
        const auto result = m_runner.run(request, observer);
        EXPECT_TRUE(result.ok()) << result.error().message;
        return result.ok() ? result.value() : core::CellResult();
    }

    tests::TestFolder m_folder;
    CellRunner m_runner;
};

double callsOf(const PassProfile& profile, WorkKind kind)
{
    double calls = 0.0;
    for (const auto* list : {&profile.kernels, &profile.rest}) {
        for (const core::KernelTime& kernel : *list)
            calls += kernel.kind == kind ? kernel.calls : 0.0;
    }
    return calls;
}

TEST_F(PassProfiler, TellsEachOperationOfAPass)
{
    const core::CellResult result = run("bf16");
    ASSERT_TRUE(result.profile);
    const PassProfile& profile = *result.profile;
    // 16 linear layers, 3 blocks with attention; nothing is quantized.
    EXPECT_DOUBLE_EQ(callsOf(profile, WorkKind::Product), 16.0);
    EXPECT_DOUBLE_EQ(callsOf(profile, WorkKind::Attention), 3.0);
    EXPECT_DOUBLE_EQ(callsOf(profile, WorkKind::Quantize), 0.0);
    EXPECT_GT(profile.seconds(WorkKind::Elementwise), 0.0);
    EXPECT_GT(profile.busySeconds, 0.0);
    EXPECT_LE(profile.busySeconds, profile.passSeconds);
    EXPECT_NE(result.phase(core::Phase::Profile), nullptr);
}

TEST_F(PassProfiler, TellsThePriceOfQuantizing)
{
    const PassProfile profile = run("int8dq").profile.value();
    const PassProfile plain = run("bf16").profile.value();
    EXPECT_GT(callsOf(profile, WorkKind::Quantize), callsOf(profile, WorkKind::Product));
    EXPECT_GT(profile.launches, plain.launches);
    EXPECT_NE(profile.fingerprint, plain.fingerprint);
    // Kinds are those of operations, not of names: the same operations normalise.
    EXPECT_NEAR(callsOf(profile, WorkKind::Elementwise), callsOf(plain, WorkKind::Elementwise),
                0.5);
}

TEST_F(PassProfiler, IsMadeWhereItIsAskedFor)
{
    const core::CellResult result = run("bf16", /*profile=*/false);
    EXPECT_FALSE(result.profile);
    EXPECT_EQ(result.phase(core::Phase::Profile), nullptr);
}

TEST_F(PassProfiler, LeavesTheOutputsAsTheyAre)
{
    const core::CellResult with = run("int8dq");
    const core::CellResult without = run("int8dq", /*profile=*/false);
    ASSERT_EQ(with.outputs.size(), without.outputs.size());
    for (std::size_t i = 0; i < with.outputs.size(); ++i)
        EXPECT_EQ(with.outputs[i].sha256, without.outputs[i].sha256);
}

}  // namespace
}  // namespace qs::engine
