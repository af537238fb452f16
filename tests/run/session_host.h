#pragma once

#include "tests/run/fake_plan.h"

namespace qs::tests {

// The plan of tests/run/session_host.cpp: six cells in three rounds, one of which crashes, one runs
// out of memory and one has to be skipped.
[[nodiscard]] inline core::Plan sessionHostPlan()
{
    std::vector<core::PlannedCell> cells{
        fakeCell("fake:ok"),
        fakeCell("fake:ok", 1, "int8dq"),
        fakeCell("fake:slow:40", 1, "int8dq"),
        fakeCell("fake:crash"),
        fakeCell("fake:oom-from:4", 4),
        fakeCell("fake:oom-from:4", 8),
    };
    for (core::PlannedCell& cell : cells) {
        cell.referenceId = cells.front().id;
        cell.trained = true;
    }
    return fakePlan(std::move(cells), 3);
}

}  // namespace qs::tests
