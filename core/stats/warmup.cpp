#include "core/stats/warmup.h"

#include "core/base/checks.h"
#include "core/stats/moments.h"
#include "core/stats/quantiles.h"

#include <span>

namespace qs::core {

namespace {

constexpr std::size_t kLikeWindows = 3;

}  // namespace

WarmupDetector::WarmupDetector(const WarmupRule& rule) : m_rule(rule)
{
    QS_ASSERT(rule.windowSamples >= 1);
}

WarmupState WarmupDetector::add(double sampleSeconds, double elapsedSeconds)
{
    m_window.push_back(sampleSeconds);
    m_windowTotal += sampleSeconds;
    if (m_window.size() >= m_rule.windowSamples && m_windowTotal >= m_rule.windowSeconds) {
        m_medians.push_back(median(m_window));
        m_window.clear();
        m_windowTotal = 0.0;
    }
    if (elapsedSeconds >= m_rule.minimumSeconds && lastWindowsAgree())
        return WarmupState::Steady;
    return elapsedSeconds >= m_rule.maximumSeconds ? WarmupState::TimeLimit : WarmupState::Warming;
}

bool WarmupDetector::lastWindowsAgree() const
{
    if (m_medians.size() < kLikeWindows)
        return false;
    const Moments last = momentsOf(std::span(m_medians).last(kLikeWindows));
    return last.maximum() - last.minimum() <= m_rule.tolerance * last.minimum();
}

}  // namespace qs::core
