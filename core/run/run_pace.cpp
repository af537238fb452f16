#include "core/run/run_pace.h"

namespace qs::core {

void RunPace::count(const Measurement& row)
{
    if (row.status() == CellStatus::Skipped)
        return;
    m_spentSeconds += row.durationSeconds;
    ++m_rows;
}

double RunPace::secondsInPhase(Phase phase)
{
    if (phase != m_phase) {
        m_phase = phase;
        m_phaseBegin = Clock::now();
    }
    return secondsSince(m_phaseBegin);
}

double RunPace::remainingSeconds(const Plan& plan, int left) const
{
    if (m_rows > 0)
        return m_spentSeconds / m_rows * left;
    const int planned = plan.plannedRows();
    return planned > 0 ? plan.estimatedSeconds() * left / planned : 0.0;
}

}  // namespace qs::core
