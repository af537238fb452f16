#include "core/base/thread_room.h"

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace qs::core {

namespace {

// A stack, and what others may take before the thread has what it needs.
constexpr std::size_t kRoom = std::size_t{48} << 20U;

}  // namespace

bool hasRoomForThread()
{
    void* const place = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return false;
    ::munmap(place, kRoom);
    return true;
}

void wantRoomForThread()
{
    if (!hasRoomForThread())
        throw std::bad_alloc();
}

}  // namespace qs::core
