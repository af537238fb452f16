#include "app/cli/standard_output.h"

#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/files.h"
#include "core/base/standard_streams.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace qs::app {

namespace {

bool nobodyReads()
{
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void prepareStandardStreams()
{
    core::openStandardStreams();
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

bool standardOutputFailed()
{
    return std::ferror(stdout) != 0;
}

int finishStandardOutput(int exitCode)
{
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    const int why = errno;
    if (flushed && !standardOutputFailed())
        return exitCode;
    if (nobodyReads())
        return exitCode == kExitOk ? kExitStoppedEarly : exitCode;
    complain("standard output cannot be written" +
             (why == 0 ? std::string() : ": " + core::systemMessage(why)));
    return exitCode == kExitOk ? kExitCellFailed : exitCode;
}

}  // namespace qs::app
