#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/protocol/channel.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// How a process ended.
struct ProcessEnd {
    int exitCode = -1;  // if it exited
    int signal = 0;     // if it was killed

    // "exit code 1", "killed by signal 9 (Killed)"
    [[nodiscard]] std::string text() const;
};

// A running worker: its channel on descriptor 3 of the child, its output as a log, its life. Must
// be made and used on one thread that outlives it: the child asks the kernel to be killed when that
// thread ends. The destructor ends the process.
class WorkerProcess final
{
public:
    // Between two looks at a stop.
    static constexpr std::chrono::milliseconds kLookPeriod{50};

    // `variables`: "NAME=value" each, beside those of this program or in their place.
    [[nodiscard]] static Result<WorkerProcess>
    spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const std::vector<std::string>& variables = {});
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&&) = delete;
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    [[nodiscard]] Channel& channel() { return m_channel; }
    // -1 when the worker has closed its output.
    [[nodiscard]] int logDescriptor() const { return m_log.get(); }
    [[nodiscard]] int processDescriptor() const { return m_processDescriptor.get(); }
    [[nodiscard]] int pid() const { return m_pid; }

    // What has been written to standard output and error since the last call; never blocks. Reads
    // at most 256 KiB at a time, so that a flood cannot starve the rest.
    [[nodiscard]] std::string takeLog();

    // Nothing while it runs. When it has ended, so has all that it started.
    [[nodiscard]] std::optional<ProcessEnd> ended();
    // The same, after waiting for it up to `patience`, less when stopped.
    [[nodiscard]] std::optional<ProcessEnd> waitForEnd(std::chrono::milliseconds patience,
                                                       const std::stop_token& stop = {});
    // SIGTERM to its group, and SIGKILL if it has not ended after `patience`, or when stopped.
    // Returns how it ended; nothing if the kernel does not let go of it (a driver that hangs).
    std::optional<ProcessEnd> terminate(std::chrono::milliseconds patience,
                                        const std::stop_token& stop = {});

private:
    WorkerProcess(int pid, FileDescriptor processDescriptor, FileDescriptor log, Channel channel);
    void signalGroup(int signal) const;

    int m_pid = -1;
    FileDescriptor m_processDescriptor;
    FileDescriptor m_log;
    Channel m_channel;
    std::optional<ProcessEnd> m_end;
};

}  // namespace qs::core
