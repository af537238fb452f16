// The compile modes that call a compiler, from end to end on the CPU. Compiling takes a quarter of
// a minute: where it does not matter what is compiled, a program that compiles nothing stands in.

#include "tests/cli/cli_fixture.h"
#include "tests/support/stand_in_compiler.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CompiledCli : public Cli
{
protected:
    CompiledCli() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~CompiledCli() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    // Of one precision at batch 1, compiled.
    [[nodiscard]] ProgramResult runCompiled(const std::string& precision,
                                            std::vector<std::string> more = {}) const
    {
        for (const std::string& each :
             {std::string("--set"), std::string("compile=inductor-default"),
              std::string("--filter"), std::string("batch=1"), std::string("--filter"),
              "precision=" + precision})
            more.push_back(each);
        return run(more);
    }
    // The rows of compiled cells.
    [[nodiscard]] std::vector<Measurement> compiledRows() const
    {
        std::vector<Measurement> rows;
        for (const Measurement& row : stored().measurements) {
            if (row.config.compile != "none")
                rows.push_back(row);
        }
        return rows;
    }
};

bool isGone(int process)
{
    return ::kill(process, 0) == -1 && errno == ESRCH;
}

TEST_F(CompiledCli, ACompilerThatHangsIsEndedByTheLimitOfItsPhase)
{
    const StandInCompiler compiler(m_folder.path(), "exec sleep 1000");
    const ProgramResult ran =
        runCompiled("bf16", {"--set", "measurement.phase_limit_seconds.compile=2"});
    EXPECT_EQ(ran.exitCode, 6) << ran.output << ran.errors;
    const std::vector<Measurement> rows = compiledRows();
    ASSERT_EQ(rows.size(), 1U);
    ASSERT_TRUE(rows.front().failure.has_value());
    EXPECT_EQ(rows.front().failure->kind, FailureKind::NoProgress);
    EXPECT_EQ(rows.front().failure->phase, Phase::Package);
    EXPECT_EQ(rows.front().failure->amount, 2.0);
    const std::vector<int> processes = StandInCompiler::calls(m_folder.path());
    ASSERT_EQ(processes.size(), 1U);
    EXPECT_TRUE(isGone(processes.front()));
}

// It makes no package, so that the cell fails; what it has said is kept.
TEST_F(CompiledCli, TheCompilerLogsWhatTorchLogsAsksFor)
{
    const StandInCompiler compiler(m_folder.path(),
                                   "echo \"asked for $TORCH_LOGS\" > \"$9/log\"; exit 1");
    ::setenv("TORCH_LOGS", "+inductor,output_code", 1);
    const ProgramResult ran = runCompiled("bf16");
    ::unsetenv("TORCH_LOGS");
    EXPECT_EQ(ran.exitCode, 1) << ran.output << ran.errors;
    EXPECT_THAT(readFile(m_run + "/log.txt"), HasSubstr("asked for +inductor,output_code"));
}

TEST_F(CompiledCli, APythonWithoutPyTorchIsSaidBeforeTheRun)
{
    const StandInCompiler compiler(m_folder.path(), "exit 1");
    compiler.setVersions(R"({"python": "3.11.2", "g++": "12.2.0"})");
    const ProgramResult ran = runCompiled("bf16");
    EXPECT_EQ(ran.exitCode, 0) << "eager cells are there: " << ran.errors;
    const RunData data = stored();
    std::vector<Note> reasons;
    for (const PlannedCell& cell : data.plan.cells) {
        if (cell.impossible)
            reasons.push_back(*cell.impossible);
    }
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons.front().code, NoteCode::CompilerLacks);
    EXPECT_EQ(reasons.front().text(0), "PyTorch in " + (m_folder / "compiler").string());
    EXPECT_THAT(compiledRows(), IsEmpty());
    EXPECT_THAT(StandInCompiler::calls(m_folder.path()), IsEmpty());
    ASSERT_EQ(data.environments.size(), 1U);
    EXPECT_EQ(data.environments.front().compiler.at("g++"), "12.2.0");
}

}  // namespace
