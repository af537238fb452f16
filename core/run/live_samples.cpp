#include "core/run/live_samples.h"

#include "core/protocol/messages.h"

#include <cstddef>

namespace qs::core {

void LiveSamples::add(Phase phase, const std::vector<double>& seconds)
{
    if (phase != m_phase)
        m_seconds.clear();
    m_phase = phase;
    m_seconds.insert(m_seconds.end(), seconds.begin(), seconds.end());
    if (m_seconds.size() > kMostLiveSamples)
        m_seconds.erase(m_seconds.begin(),
                        m_seconds.end() - static_cast<std::ptrdiff_t>(kMostLiveSamples));
}

}  // namespace qs::core
