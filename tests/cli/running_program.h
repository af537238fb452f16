#pragma once

#include "core/base/temporary_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::tests {

// What a program that has ended left behind.
struct ProgramResult {
    int exitCode = -1;  // -1 if it was killed
    std::string output;
    std::string errors;
};

// What the program finds when it starts, where that is not what it finds usually.
struct ProgramStart {
    std::string output = {};     // a file that is its standard output
    bool closedStreams = false;  // it has neither standard input nor output nor error
    std::string prefix = {};     // words of a shell before the program: "ulimit -f 8;"
};

// quantscope-cli as a user starts it, with its own output. Killed with the object.
class RunningProgram final
{
public:
    explicit RunningProgram(const std::vector<std::string>& arguments,
                            const ProgramStart& start = {});
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    // Reads until the output holds `text`; false if it ends without, or after two minutes.
    [[nodiscard]] bool waitForOutput(const std::string& text);
    // Nobody reads its output from now on.
    void closeOutput() { m_outputEnd = core::FileDescriptor(); }
    void signal(int number) const;
    // To its end, at most five minutes.
    [[nodiscard]] ProgramResult finish();
    [[nodiscard]] int pid() const { return m_pid; }
    // Processes that it has started and that still run.
    [[nodiscard]] std::vector<int> children() const;

private:
    [[nodiscard]] bool readMore(int milliseconds);

    core::TemporaryFolder m_folder;
    core::FileDescriptor m_outputEnd;
    std::string m_output;
    int m_pid = -1;
};

[[nodiscard]] ProgramResult runCli(const std::vector<std::string>& arguments,
                                   const ProgramStart& start = {});

// From now on programs are started with a worker that measures nothing, see
// tests/run/fake_worker.cpp.
void useFakeWorker();

// For ProgramStart::prefix: while the file `full` is there, the program finds no space on any disk.
[[nodiscard]] std::string diskThatIsFullWith(const std::filesystem::path& full);

// A sweep of a network so small that a cell takes about a second: {bf16, fp32, int8dq} x batch
// {1, 2} at 32 px. Writes it to `file`.
void writeTinyPreset(const std::filesystem::path& file);

}  // namespace qs::tests
