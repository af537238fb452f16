#include "tests/support/ended_process.h"

#include "core/base/file_descriptor.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace qs::tests {

bool goneWithin(int pid, std::chrono::milliseconds patience)
{
    const core::FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process.valid())
        return errno == ESRCH;
    pollfd watched{process.get(), POLLIN, 0};
    return ::poll(&watched, 1, static_cast<int>(patience.count())) == 1;
}

}  // namespace qs::tests
