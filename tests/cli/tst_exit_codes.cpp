#include "app/cli/exit_codes.h"

#include <gtest/gtest.h>

namespace {

using namespace qs::core;
using namespace qs::app;

using Outcome = std::optional<FailureKind>;
constexpr Outcome kOk = std::nullopt;

// A run of as many cells as outcomes, one row each.
RunData runOf(const std::vector<Outcome>& outcomes)
{
    RunData data;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        PlannedCell cell;
        cell.id = std::to_string(i);
        data.plan.cells.push_back(cell);
        Measurement row;
        row.cellId = cell.id;
        if (outcomes[i])
            row.failure = Failure{.kind = *outcomes[i]};
        data.measurements.push_back(row);
    }
    return data;
}

TEST(ExitCodes, OfARunTellWhatWentWrong)
{
    using enum FailureKind;
    EXPECT_EQ(exitCodeOf(runOf({kOk, kOk}), true), 0);
    EXPECT_EQ(exitCodeOf(runOf({kOk, Signal}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({kOk, Io}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({kOk, OutOfMemory, HostOutOfMemory}), true), 4);
    EXPECT_EQ(exitCodeOf(runOf({kOk, OutOfMemory, SmallerBatchOutOfMemory}), true), 4)
        << "a skip follows from a failure";
    EXPECT_EQ(exitCodeOf(runOf({kOk, NoProgress}), true), 6);
    EXPECT_EQ(exitCodeOf(runOf({Silent, OutOfMemory}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({NonFinite}), true), 1);
}

TEST(ExitCodes, OfARunInWhichTheDeviceAloneFailed)
{
    using enum FailureKind;
    EXPECT_EQ(exitCodeOf(runOf({kOk, Device}), true), 5);
    EXPECT_EQ(exitCodeOf(runOf({Device, Device, ModeSkipped}), true), 5);
    EXPECT_EQ(exitCodeOf(runOf({Device, Io}), true), 1) << "another failed as well";
    EXPECT_EQ(exitCodeOf(runOf({Device, OutOfMemory}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({Device}), false), 75);
}

TEST(ExitCodes, OfARunThatStoppedEarlyAskToGoOn)
{
    using enum FailureKind;
    EXPECT_EQ(exitCodeOf(runOf({kOk, Stopped}), false), 75);
    EXPECT_EQ(exitCodeOf(runOf({kOk, Signal}), false), 75);
}

TEST(ExitCodes, OfARunWithoutPossibleCells)
{
    RunData data = runOf({kOk});
    data.measurements.clear();
    data.plan.cells.front().impossible = qs::core::remark("no such device");
    EXPECT_EQ(exitCodeOf(data, true), 3);
}

TEST(ExitCodes, CountTheLastAttempt)
{
    RunData data = runOf({FailureKind::Signal});
    Measurement again = data.measurements.front();
    again.attempt = 1;
    again.failure.reset();
    data.measurements.push_back(again);
    EXPECT_EQ(exitCodeOf(data, true), 0);
}

TEST(ExitCodes, OfACellThatRanSomethingElse)
{
    RunData data = runOf({kOk, kOk});
    qs::core::ExecutedStage stage;
    stage.products = {{"aten::_int_mm", qs::core::DType::Int32, 4, 4}};
    data.measurements.back().result.executed = {stage};
    EXPECT_EQ(exitCodeOf(data, true), 0);
    data.measurements.back().result.executed.front().products.front().ran = 3;
    EXPECT_EQ(exitCodeOf(data, true), 1);
}

TEST(ExitCodes, OfErrors)
{
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::InvalidArgument, ""}), 2);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::NotFound, ""}), 2);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Format, ""}), 2);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Unsupported, ""}), 3);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::OutOfMemory, ""}), 4);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Device, ""}), 5);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Timeout, ""}), 6);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Cancelled, ""}), 75);
    EXPECT_EQ(exitCodeOf(Error{ErrorCode::Io, ""}), 1);
}

}  // namespace
