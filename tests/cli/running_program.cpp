#include "tests/cli/running_program.h"

#include "tests/support/test_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

extern char** environ;

namespace qs::tests {

namespace {

constexpr int kOutputTimeout = 120'000;  // milliseconds
constexpr int kEndTimeout = 300'000;

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments, const ProgramStart& start)
    : m_folder(core::TemporaryFolder::create("quantscope-cli-").value())
{
    ::setenv("QUANTSCOPE_RESOURCES", QS_SOURCE_DIR "/resources", 1);
    std::array<int, 2> ends{};
    QS_ASSERT(::pipe2(ends.data(), O_CLOEXEC) == 0);
    m_outputEnd = core::FileDescriptor(ends[0]);
    const core::FileDescriptor writing(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (start.output.empty())
        posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, start.output.c_str(), O_WRONLY,
                                         0);
    const std::string errors = m_folder.path() / "errors";
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int stream = STDIN_FILENO; start.closedStreams && stream <= STDERR_FILENO; ++stream)
        posix_spawn_file_actions_addclose(&actions, stream);
    // The shell only sets limits; then it becomes the program.
    std::vector<std::string> words{QS_CLI};
    if (!start.prefix.empty())
        words = {"/bin/sh", "-c", start.prefix + " exec \"$0\" \"$@\"", QS_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    QS_ASSERT(::posix_spawn(&m_pid, argv.front(), &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
}

RunningProgram::~RunningProgram()
{
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
}

// False at the end of the output, or if none came in time.
bool RunningProgram::readMore(int milliseconds)
{
    pollfd watched{m_outputEnd.get(), POLLIN, 0};
    std::array<char, 4096> buffer{};
    if (::poll(&watched, 1, milliseconds) != 1)
        return false;
    const ssize_t count = ::read(m_outputEnd.get(), buffer.data(), buffer.size());
    if (count > 0)
        m_output.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
}

bool RunningProgram::waitForOutput(const std::string& text)
{
    while (m_output.find(text) == std::string::npos) {
        if (!readMore(kOutputTimeout))
            return false;
    }
    return true;
}

void RunningProgram::signal(int number) const
{
    ::kill(m_pid, number);
}

ProgramResult RunningProgram::finish()
{
    while (m_outputEnd.valid() && readMore(kEndTimeout)) {
    }
    int status = 0;
    EXPECT_EQ(::waitpid(m_pid, &status, 0), m_pid);
    m_pid = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, m_output,
            readFile(m_folder.path() / "errors")};
}

std::vector<int> RunningProgram::children() const
{
    std::vector<int> found;
    const std::string parent = "PPid:\t" + std::to_string(m_pid);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "status");
        for (std::string line; std::getline(file, line);) {
            if (line == parent)
                found.push_back(std::stoi(name));
        }
    }
    return found;
}

ProgramResult runCli(const std::vector<std::string>& arguments, const ProgramStart& start)
{
    return RunningProgram(arguments, start).finish();
}

void useFakeWorker()
{
    ::setenv("QUANTSCOPE_WORKER", QS_FAKE_WORKER, 1);
}

std::string diskThatIsFullWith(const std::filesystem::path& full)
{
    return "export LD_PRELOAD='" QS_LITTLE_DISK "' QS_FULL_DISK='" + full.string() + "';";
}

void writeTinyPreset(const std::filesystem::path& file)
{
    writeFile(file, R"({
  "schema_version": 1,
  "name": "tiny",
  "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16",
               "compile": "none", "image_size": 32},
  "axes": {"precision": ["bf16", "fp32", "int8dq"], "batch": [1, 2]},
  "rounds": 1,
  "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.05,
                  "minimum_samples": 3, "maximum_samples": 10},
  "pictures": {"source": "procedural", "count": 2}
})");
}

}  // namespace qs::tests
