#include "tests/support/stand_in_compiler.h"

#include "tests/support/test_folder.h"

#include <cstdlib>
#include <fstream>

namespace qs::tests {

namespace {

constexpr const char* kVariable = "QUANTSCOPE_PYTHON";
constexpr const char* kCalls = "calls";
constexpr const char* kQuestions = "questions";

std::vector<int> processesIn(const std::filesystem::path& list)
{
    std::ifstream file(list);
    std::vector<int> processes;
    for (int process = 0; file >> process;)
        processes.push_back(process);
    return processes;
}

}  // namespace

StandInCompiler::StandInCompiler(const std::filesystem::path& folder, const std::string& lines)
    : m_versions(folder / "versions.json")
{
    setVersions(R"({"python": "3.11.2", "torch": "2.11.0", "triton": "3.6.0", "g++": "12.2.0"})");
    const std::filesystem::path program = folder / "compiler";
    writeFile(program, "#!/bin/sh\n[ \"$2\" = -c ] && echo $$ >> '" +
                           (folder / kQuestions).string() + "' && exec cat '" +
                           m_versions.string() + "'\necho $$ >> '" + (folder / kCalls).string() +
                           "'\n" + lines + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    ::setenv(kVariable, program.c_str(), 1);
}

StandInCompiler::~StandInCompiler()
{
    ::unsetenv(kVariable);
}

void StandInCompiler::setVersions(const std::string& json) const
{
    writeFile(m_versions, json);
}

std::vector<int> StandInCompiler::calls(const std::filesystem::path& folder)
{
    return processesIn(folder / kCalls);
}

std::vector<int> StandInCompiler::questions(const std::filesystem::path& folder)
{
    return processesIn(folder / kQuestions);
}

}  // namespace qs::tests
