#include "app/worker/worker_main.h"

#include "app/worker/worker.h"
#include "core/base/caught.h"
#include "core/base/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string_view>

namespace {

constexpr int kChannelDescriptor = 3;

}  // namespace

namespace qs::app {

int workerMain(int argc, char** argv)
{
    // Die with the supervisor. It may have died before this call: then somebody else is the parent
    // by now, and the closed channel ends this process.
    const pid_t parent = ::getppid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        return 1;
    // A core file of a process with a model in memory would fill the disk.
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    // Both become errors of writing, with words.
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    if (::fcntl(kChannelDescriptor, F_SETFD, FD_CLOEXEC) != 0) {
        std::fputs("quantscope-worker is started by quantscope or quantscope-cli, not by hand\n",
                   stderr);
        return 2;
    }
    try {
        std::optional<core::SandboxLimits> limits;
        if (argc == 3 && std::string_view(argv[1]) == core::kShutOffOption) {
            const auto entered = core::enterSandbox(argv[2]);
            if (!entered.ok()) {
                std::fprintf(stderr, "quantscope-worker: %s\n", entered.error().message.c_str());
                return 1;
            }
            limits = entered.value();
        }
        const int code = runWorker(core::Channel(core::FileDescriptor(kChannelDescriptor)), limits);
        // All that is ours is gone. That PyTorch takes its thousands of operators apart would keep
        // whoever waits for the next cell: 0.15 s, a quarter of what a process takes by itself.
        std::fflush(nullptr);
        ::_exit(code);
    } catch (...) {
        std::fprintf(stderr, "quantscope-worker: %s\n", qs::core::caughtError().message.c_str());
        return 1;
    }
}

}  // namespace qs::app
