#include "core/engine/internal/core_pin.h"

namespace qs::engine {

CorePin::CorePin()
{
    // 0: the calling thread.
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof(m_before), &m_before) != 0)
        return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(here), &one);
    if (sched_setaffinity(0, sizeof(one), &one) == 0)
        m_core = here;
}

CorePin::~CorePin()
{
    if (m_core)
        static_cast<void>(sched_setaffinity(0, sizeof(m_before), &m_before));
}

}  // namespace qs::engine
