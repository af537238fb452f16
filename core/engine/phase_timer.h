#pragma once

#include "core/engine/cell_runner.h"

#include <chrono>
#include <string>
#include <utility>

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
    PartTimer(std::string name, core::CellResult& result)
        : m_name(std::move(name)), m_result(result), m_begin(secondsNow())
    {
    }
    ~PartTimer()
    {
        m_result.phases.push_back({m_name, secondsNow() - m_begin, m_begin - m_result.began});
    }
    PartTimer(const PartTimer&) = delete;
    PartTimer& operator=(const PartTimer&) = delete;

private:
    std::string m_name;
    core::CellResult& m_result;
    double m_begin;
};

// The same of a whole phase, which is announced at once.
class PhaseTimer final
{
public:
    PhaseTimer(const std::string& name, core::CellResult& result, CellObserver& observer)
        : m_timer(name, result)
    {
        observer.phaseStarted(name);
    }

private:
    PartTimer m_timer;
};

}  // namespace qs::engine
