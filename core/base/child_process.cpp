#include "core/base/child_process.h"

#include "core/base/file_descriptor.h"
#include "core/base/spawn_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <thread>

extern char** environ;

namespace qs::core {

namespace {

constexpr std::chrono::milliseconds kLookPeriod(100);

std::vector<std::string> environmentWith(const ChildCommand& command)
{
    std::vector<std::string> all;
    for (const auto& [name, value] : command.variables)
        all.push_back(name + "=" + value);
    const std::size_t own = all.size();
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        bool replaced = false;
        for (std::size_t i = 0; i < own; ++i)
            replaced = replaced || text.starts_with(command.variables[i].first + "=");
        if (!replaced)
            all.emplace_back(text);
    }
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

Result<pid_t> spawn(const ChildCommand& command)
{
    std::vector<std::string> arguments{command.program.string()};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment = environmentWith(command);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, command.log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, withUsualSignals(attributes));
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, command.program.c_str(), &actions, &attributes,
                                     pointersTo(arguments).data(), pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return Error{error == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                     "cannot start " + command.program.string() + ": " + systemMessage(error)};
    return pid;
}

}  // namespace

Result<ChildEnd> runChild(const ChildCommand& command, const std::function<bool()>& goesOn)
{
    QS_TRY(const pid_t pid, spawn(command));
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        if (!goesOn()) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, &status, 0);
            return Error{ErrorCode::Cancelled, "stopped"};
        }
        std::this_thread::sleep_for(kLookPeriod);
    }
    ChildEnd end;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.exitCode = WEXITSTATUS(status);
    return end;
}

}  // namespace qs::core
