#include "app/cli/exit_codes.h"

#include <gtest/gtest.h>

namespace {

using namespace qs::core;
using namespace qs::app;

// A run of as many cells as statuses, one row each.
RunData runOf(const std::vector<CellStatus>& statuses)
{
    RunData data;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        PlannedCell cell;
        cell.id = std::to_string(i);
        data.plan.cells.push_back(cell);
        Measurement row;
        row.cellId = cell.id;
        row.status = statuses[i];
        data.measurements.push_back(row);
    }
    return data;
}

TEST(ExitCodes, OfARunTellWhatWentWrong)
{
    using enum CellStatus;
    EXPECT_EQ(exitCodeOf(runOf({Ok, Ok}), true), 0);
    EXPECT_EQ(exitCodeOf(runOf({Ok, Crashed}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({Ok, Oom, Oom}), true), 4);
    EXPECT_EQ(exitCodeOf(runOf({Ok, Oom, Skipped}), true), 4) << "a skip follows from a failure";
    EXPECT_EQ(exitCodeOf(runOf({Ok, Timeout}), true), 6);
    EXPECT_EQ(exitCodeOf(runOf({Timeout, Oom}), true), 1);
    EXPECT_EQ(exitCodeOf(runOf({NonFinite}), true), 1);
}

TEST(ExitCodes, OfARunThatStoppedEarlyAskToGoOn)
{
    using enum CellStatus;
    EXPECT_EQ(exitCodeOf(runOf({Ok, Cancelled}), false), 75);
    EXPECT_EQ(exitCodeOf(runOf({Ok, Crashed}), false), 75);
}

TEST(ExitCodes, OfARunWithoutPossibleCells)
{
    RunData data = runOf({CellStatus::Ok});
    data.measurements.clear();
    data.plan.cells.front().impossible = "no such device";
    EXPECT_EQ(exitCodeOf(data, true), 3);
}

TEST(ExitCodes, CountTheLastAttempt)
{
    RunData data = runOf({CellStatus::Crashed});
    Measurement again = data.measurements.front();
    again.attempt = 1;
    again.status = CellStatus::Ok;
    data.measurements.push_back(again);
    EXPECT_EQ(exitCodeOf(data, true), 0);
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
