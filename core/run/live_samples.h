#pragma once

#include "core/sweep/phase.h"

#include <vector>

namespace qs::core {

// The newest samples of a cell that is being measured: those of its warm-up until the first real
// one comes.
class LiveSamples final
{
public:
    void add(Phase phase, const std::vector<double>& seconds);
    // At most kMostLiveSamples, in order.
    [[nodiscard]] const std::vector<double>& newest() const { return m_seconds; }

private:
    Phase m_phase = Phase::Idle;
    std::vector<double> m_seconds;
};

}  // namespace qs::core
