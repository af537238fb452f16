#pragma once

#include "core/record/measurement.h"
#include "core/sweep/plan.h"

#include <chrono>
#include <string>

namespace qs::core {

// The clock of a session: how long it has lasted, how long its phase has, and how long the rest of
// the plan will take, judged by the rows that were measured. Used from the session's thread.
class RunPace final
{
public:
    // A row of this environment exists; skipped ones took no time and say nothing.
    void count(const Measurement& row);
    // Seconds since this phase was first named in a row of calls.
    [[nodiscard]] double secondsInPhase(Phase phase);
    [[nodiscard]] double elapsedSeconds() const { return secondsSince(m_begin); }
    // Of `left` rows: by the rows so far, or as the plan estimates before there are any.
    [[nodiscard]] double remainingSeconds(const Plan& plan, int left) const;

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] static double secondsSince(Clock::time_point begin)
    {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    Clock::time_point m_begin = Clock::now();
    Phase m_phase = Phase::Idle;
    Clock::time_point m_phaseBegin = m_begin;
    double m_spentSeconds = 0.0;
    int m_rows = 0;
};

}  // namespace qs::core
