#include "core/run/worker_process.h"

#include "core/base/spawn_signals.h"
#include "core/report/words/failure_text.h"
#include "core/sweep/worker_variables.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

extern char** environ;

namespace qs::core {

namespace {

constexpr int kChannelDescriptor = 3;
constexpr std::size_t kLogBytesAtOnce = std::size_t{256} << 10U;

// Variables that would let somebody else's code or settings into the measurement.
bool isScrubbed(std::string_view variable)
{
    for (const std::string_view prefix : {"LD_PRELOAD=", "LD_AUDIT=", "PYTORCH_", "TORCH_",
                                          "TORCHINDUCTOR_", "CUDA_LAUNCH_BLOCKING="}) {
        if (variable.starts_with(prefix))
            return true;
    }
    return false;
}

// That of this program without what is scrubbed, with `own` variables in place of those of the same
// names. Points into both.
std::vector<char*> workerEnvironment(const std::vector<std::string>& own)
{
    const auto isReplaced = [&](std::string_view variable) {
        return std::any_of(own.begin(), own.end(), [&](const std::string& each) {
            return variable.starts_with(std::string_view(each).substr(0, each.find('=') + 1));
        });
    };
    std::vector<char*> kept;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (!isScrubbed(*variable) && !isReplaced(*variable))
            kept.push_back(*variable);
    }
    for (const std::string& each : own)
        kept.push_back(const_cast<char*>(each.c_str()));
    kept.push_back(nullptr);
    return kept;
}

// As kCompilerLogs says.
std::vector<std::string> withCompilerLogs(std::vector<std::string> variables)
{
    if (const char* logs = std::getenv(kCompilerLogs); logs != nullptr)
        variables.push_back(std::string(kCompilerLogsOfWorker) + "=" + logs);
    return variables;
}

class SpawnActions final
{
public:
    SpawnActions()
    {
        posix_spawn_file_actions_init(&m_actions);
        posix_spawnattr_init(&m_attributes);
    }
    ~SpawnActions()
    {
        posix_spawn_file_actions_destroy(&m_actions);
        posix_spawnattr_destroy(&m_attributes);
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;

    Result<int> spawn(const std::string& program, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& variables, int channel, int log)
    {
        posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_actions, log, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&m_actions, log, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&m_actions, channel, kChannelDescriptor);
        // Whoever started this program may have left files open to it: a worker that holds the end
        // of somebody's pipe would keep a shell waiting.
        posix_spawn_file_actions_addclosefrom_np(&m_actions, kChannelDescriptor + 1);
        // A group of its own: what a worker starts ends with it.
        posix_spawnattr_setpgroup(&m_attributes, 0);
        posix_spawnattr_setflags(&m_attributes, static_cast<short>(POSIX_SPAWN_SETPGROUP |
                                                                   withUsualSignals(m_attributes)));
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (const std::string& argument : arguments)
            argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        std::vector<char*> environment = workerEnvironment(variables);
        pid_t pid = -1;
        const int error = posix_spawn(&pid, program.c_str(), &m_actions, &m_attributes, argv.data(),
                                      environment.data());
        if (error != 0)
            return Error{error == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                         "cannot start " + program + ": " + systemMessage(error)};
        return pid;
    }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

}  // namespace

std::string ProcessEnd::text() const
{
    return processEndText(exitCode, signal);
}

WorkerProcess::WorkerProcess(int pid, FileDescriptor processDescriptor, FileDescriptor log,
                             Channel channel)
    : m_pid(pid),
      m_processDescriptor(std::move(processDescriptor)),
      m_log(std::move(log)),
      m_channel(std::move(channel))
{
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_processDescriptor(std::move(other.m_processDescriptor)),
      m_log(std::move(other.m_log)),
      m_channel(std::move(other.m_channel)),
      m_end(other.m_end)
{
}

Result<WorkerProcess> WorkerProcess::spawn(const std::filesystem::path& program,
                                           const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& variables)
{
    QS_TRY(auto ends, Channel::createPair());
    std::array<int, 2> pipeEnds{};
    if (::pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        return ioError("make a pipe for", program, errno);
    FileDescriptor readEnd(pipeEnds[0]);
    const FileDescriptor writeEnd(pipeEnds[1]);
    if (::fcntl(readEnd.get(), F_SETFL, O_NONBLOCK) != 0)
        return ioError("set up the log pipe of", program, errno);
    SpawnActions actions;
    QS_TRY(const int pid, actions.spawn(program.string(), arguments, withCompilerLogs(variables),
                                        ends.second.descriptor(), writeEnd.get()));
    FileDescriptor processDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    WorkerProcess process(pid, std::move(processDescriptor), std::move(readEnd),
                          std::move(ends.first));
    if (process.processDescriptor() < 0)
        return ioError("watch", program, errno);
    return process;
}

WorkerProcess::~WorkerProcess()
{
    if (m_pid > 0 && !m_end)
        terminate(std::chrono::milliseconds(0));
}

std::string WorkerProcess::takeLog()
{
    std::string text;
    std::array<char, 16384> buffer{};
    while (text.size() < kLogBytesAtOnce) {
        const ssize_t count = ::read(m_log.get(), buffer.data(), buffer.size());
        // A pipe that has ended is always readable: poll() would never wait again.
        if (count == 0)
            m_log = FileDescriptor();
        if (count <= 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

std::optional<ProcessEnd> WorkerProcess::ended()
{
    if (m_end || m_pid <= 0)
        return m_end;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != m_pid)
        return std::nullopt;
    // What the worker has started ends with it. Before it is collected, because until then its id,
    // which is that of the group, cannot belong to anybody else.
    signalGroup(SIGKILL);
    int status = 0;
    if (::waitpid(m_pid, &status, WNOHANG) != m_pid)
        return std::nullopt;
    ProcessEnd end;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.exitCode = WEXITSTATUS(status);
    m_end = end;
    return m_end;
}

void WorkerProcess::signalGroup(int signal) const
{
    ::kill(-m_pid, signal);
}

std::optional<ProcessEnd> WorkerProcess::waitForEnd(std::chrono::milliseconds patience,
                                                    const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point limit = Clock::now() + patience;
    pollfd watched{m_processDescriptor.get(), POLLIN, 0};
    while (!stop.stop_requested()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now());
        const auto slice = std::clamp(left, std::chrono::milliseconds(0), kLookPeriod);
        const bool readable = ::poll(&watched, 1, static_cast<int>(slice.count())) > 0;
        if (ended() || left <= slice)
            break;
        // It may be told that it ends a moment before it can be collected; who leaves now leaves it
        // behind for ever.
        if (readable)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ended();
}

std::optional<ProcessEnd> WorkerProcess::terminate(std::chrono::milliseconds patience,
                                                   const std::stop_token& stop)
{
    if (ended())
        return m_end;
    signalGroup(SIGTERM);
    if (waitForEnd(patience, stop))
        return m_end;
    signalGroup(SIGKILL);
    // Uninterruptible sleep inside a driver can outlast SIGKILL; nobody waits for it longer than
    // this.
    static_cast<void>(waitForEnd(std::chrono::seconds(5)));
    return m_end;
}

}  // namespace qs::core
