#include "core/run/cpu_watch.h"

#include "core/device/cpu_state.h"
#include "core/device/cpu_time.h"
#include "core/device/telemetry.h"

#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace qs::core {

CpuWatch::CpuWatch(std::filesystem::path root)
    : m_root(std::move(root)), m_cores(allowedCoreNumbers())
{
}

CpuWatch::Reading CpuWatch::read() const
{
    return {workedSeconds(m_cores, m_root), processorSeconds(::getpid(), m_root), Telemetry::now()};
}

std::optional<double> CpuWatch::others(const Reading& first, const Reading& last,
                                       double worker) const
{
    if (!first.worked || !last.worked || !first.own || !last.own || last.at <= first.at)
        return std::nullopt;
    const double taken = *last.worked - *first.worked - (*last.own - *first.own) - worker;
    // Counters move in steps of a hundredth of a second, each in its own.
    return std::clamp(taken / (last.at - first.at), 0.0, static_cast<double>(m_cores.size()));
}

void CpuWatch::prepare()
{
    m_load = {.averageBefore = readCpuState(m_root).busyCores,
              .cores = static_cast<int>(m_cores.size())};
    const Reading before = read();
    // Where nothing counts what cores do, looking for longer shows no more.
    if (before.worked)
        std::this_thread::sleep_for(kLook);
    m_begin = read();
    m_load.othersBefore = others(before, m_begin, 0.0);
}

HostLoad CpuWatch::finish(std::int64_t worker)
{
    const Reading end = read();
    const auto all = processorSeconds(worker, m_root);
    if (!all)
        return m_load;
    // A fresh process has not worked for other cells.
    const auto before = m_workerSeconds.find(worker);
    const double earlier = before == m_workerSeconds.end() ? 0.0 : before->second;
    m_load.othersDuring = others(m_begin, end, *all - earlier);
    m_workerSeconds = {{worker, *all}};
    return m_load;
}

}  // namespace qs::core
