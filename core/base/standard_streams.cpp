#include "core/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace qs::core {

void openStandardStreams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        // The lowest number that is free is the one that is asked for here.
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(::open("/dev/null", O_RDWR));
    }
}

}  // namespace qs::core
