#include "core/run/run_pace.h"
#include "tests/run/fake_plan.h"

#include <gtest/gtest.h>

namespace {

using namespace qs::core;
using namespace qs::tests;

Measurement rowOf(double seconds, std::optional<FailureKind> failed = std::nullopt)
{
    Measurement row;
    if (failed)
        row.failure = Failure{.kind = *failed};
    row.durationSeconds = seconds;
    return row;
}

// Two cells of 0.1 s estimated, five rounds.
Plan plan()
{
    return fakePlan({fakeCell("fake:ok"), fakeCell("fake:ok", 2)}, 5);
}

TEST(RunPace, EstimatesAsThePlanDoesBeforeAnythingIsMeasured)
{
    const RunPace pace;
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(plan(), 10), 1.0);
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(plan(), 5), 0.5);
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(plan(), 0), 0.0);
    Plan nothing = plan();
    for (PlannedCell& cell : nothing.cells)
        cell.impossible = remark("no");
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(nothing, 0), 0.0);
}

TEST(RunPace, GoesByWhatWasMeasured)
{
    RunPace pace;
    pace.count(rowOf(3.0));
    pace.count(rowOf(5.0, FailureKind::Signal));
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(plan(), 8), 32.0);
    pace.count(rowOf(0.0, FailureKind::ModeSkipped));
    EXPECT_DOUBLE_EQ(pace.remainingSeconds(plan(), 7), 28.0) << "a skipped row took no time";
}

TEST(RunPace, EachPhaseBeginsAnew)
{
    RunPace pace;
    static_cast<void>(pace.secondsInPhase(Phase::Load));
    while (pace.secondsInPhase(Phase::Load) <= 0.0) {
    }
    const double elapsed = pace.elapsedSeconds();
    EXPECT_LT(pace.secondsInPhase(Phase::Measure), elapsed) << "counted from its own beginning";
}

}  // namespace
