#pragma once

#include "core/record/run_folder.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace qs::tests {

// Sessions of the fake worker in a folder of their own.
class RunSessionTest : public testing::Test
{
protected:
    [[nodiscard]] core::RunOptions options(bool resume = false) const
    {
        return fakeOptions(m_folder.path(), resume);
    }

    // To its end; then nothing may be left behind.
    static void finish(core::RunSession& session, RecordingObserver& observer)
    {
        session.wait();
        EXPECT_FALSE(session.running());
        EXPECT_EQ(observer.finishedCalls, 1) << "wait() returns after finished()";
        EXPECT_THAT(childProcesses(), testing::IsEmpty());
    }

    void run(const core::Plan& plan, RecordingObserver& observer, core::RunOptions options)
    {
        core::RunSession session(plan, std::move(options), observer);
        finish(session, observer);
    }
    void run(const core::Plan& plan, RecordingObserver& observer)
    {
        run(plan, observer, options());
    }
    // The next session of the same run.
    void resume(RecordingObserver& observer, bool retryFailed = false)
    {
        core::RunOptions chosen = options(true);
        chosen.retryFailed = retryFailed;
        run(core::Plan(), observer, chosen);
    }

    [[nodiscard]] core::RunData stored() const
    {
        return core::readRunFolder(m_folder / "run").value();
    }

    static std::map<std::string, core::CellStatus>
    statuses(const std::vector<core::Measurement>& rows)
    {
        std::map<std::string, core::CellStatus> found;
        for (const core::Measurement& row : rows)
            found[row.config.model + "@" + std::to_string(row.config.batch)] = row.status();
        return found;
    }

    TestFolder m_folder;
};

// Outputs of three cells are compared, with their input and with the first of them.
[[nodiscard]] inline core::Plan comparedPlan()
{
    std::vector<core::PlannedCell> cells{fakeCell("fake:ok"), fakeCell("fake:ok", 1, "int8dq"),
                                         fakeCell("fake:ok", 2, "int8dq"), fakeCell("fake:nan")};
    for (core::PlannedCell& cell : cells) {
        cell.referenceId = cells.front().id;
        cell.trained = true;
    }
    return fakePlan(std::move(cells), 2);
}

// Removes the comparisons from a journal, as if the program had died before it made them.
inline void forgetComparisons(const std::filesystem::path& run, std::size_t kept)
{
    std::ifstream file(run / "journal.jsonl");
    std::string text;
    std::size_t seen = 0;
    for (std::string line; std::getline(file, line);) {
        const bool comparison = line.find(R"("type":"quality")") != std::string::npos;
        if (!comparison || seen++ < kept)
            text += line + "\n";
    }
    writeFile(run / "journal.jsonl", text);
}

}  // namespace qs::tests
