#pragma once

#include "core/record/run_folder.h"
#include "tests/cli/running_program.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <string>
#include <vector>

namespace qs::tests {

// quantscope-cli with a tiny preset and a run folder.
class Cli : public testing::Test
{
protected:
    Cli() { writeTinyPreset(m_preset); }

    [[nodiscard]] ProgramResult run(const std::vector<std::string>& more) const
    {
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    // The exit code of a run that is interrupted once a row is there.
    [[nodiscard]] int stopAfterOneCell(const std::vector<std::string>& more) const
    {
        std::vector<std::string> arguments{"run", m_preset, "--out", m_run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        RunningProgram program(arguments);
        EXPECT_TRUE(program.waitForOutput("round 1 ·"));
        program.signal(SIGINT);
        const ProgramResult result = program.finish();
        EXPECT_THAT(result.output, testing::HasSubstr("--resume"));
        return result.exitCode;
    }
    [[nodiscard]] core::RunData stored() const { return core::readRunFolder(m_run).value(); }

    TestFolder m_folder;
    std::string m_preset = m_folder / "tiny.json";
    std::string m_run = m_folder / "run";
};

}  // namespace qs::tests
