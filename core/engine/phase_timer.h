#pragma once

#include "core/engine/cell_observer.h"
#include "core/measure/cell_result.h"

#include <chrono>

namespace qs::engine {

// Seconds of a clock that never goes back; those of CellResult::began.
inline double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Adds its time to the result at the end of its life.
class PartTimer final
{
public:
    PartTimer(core::Phase phase, core::CellResult& result)
        : m_phase(phase), m_result(result), m_begin(secondsNow())
    {
    }
    ~PartTimer()
    {
        m_result.phases.push_back({m_phase, secondsNow() - m_begin, m_begin - m_result.began});
    }
    PartTimer(const PartTimer&) = delete;
    PartTimer& operator=(const PartTimer&) = delete;

private:
    core::Phase m_phase;
    core::CellResult& m_result;
    double m_begin;
};

// The same of a whole phase, which is announced at once.
class PhaseTimer final
{
public:
    PhaseTimer(core::Phase phase, core::CellResult& result, CellObserver& observer)
        : m_timer(phase, result)
    {
        observer.phaseStarted(phase);
    }

private:
    PartTimer m_timer;
};

}  // namespace qs::engine
