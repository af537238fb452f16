#include "core/stats/stopping.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace qs::core {

namespace {

// Figures of nvbench's "stdrel" criterion (detail/stdrel_criterion).
constexpr std::size_t kSamplesBeforeNoise = 5;
constexpr std::size_t kNoisesBeforeSettling = 64;
constexpr std::size_t kSettlingInterval = 16;  // samples between two looks at the window
constexpr double kSettledSpread = 0.05;
constexpr std::size_t kUndefinedLimit = 64;

}  // namespace

StoppingCriterion::StoppingCriterion(const StoppingRule& rule) : m_rule(rule)
{
    QS_ASSERT(rule.maximumSamples >= 1);
}

std::optional<StopReason> StoppingCriterion::add(double sampleSeconds, double elapsedSeconds)
{
    m_samples.add(sampleSeconds);
    m_totalSeconds += sampleSeconds;
    if (count() >= kSamplesBeforeNoise)
        remember(relativeNoise());
    if (m_rule.kind == StoppingKind::Entropy)
        m_entropy.add(sampleSeconds);
    if (count() >= m_rule.minimumSamples) {
        if (const auto reason = judge())
            return reason;
        if (elapsedSeconds >= m_rule.maximumSeconds)
            return StopReason::TimeLimit;
    }
    if (count() >= m_rule.maximumSamples)
        return StopReason::MaximumSamples;
    return std::nullopt;
}

void StoppingCriterion::remember(double noise)
{
    if (!std::isfinite(noise)) {
        ++m_undefinedInARow;
        return;
    }
    m_undefinedInARow = 0;
    m_noises[m_noiseCount % kWindow] = noise;
    ++m_noiseCount;
}

bool StoppingCriterion::noiseHasSettled() const
{
    if (m_noiseCount <= kNoisesBeforeSettling || count() % kSettlingInterval != 0)
        return false;
    const Moments window = momentsOf(std::span(m_noises).first(std::min(m_noiseCount, kWindow)));
    return window.standardDeviation() < kSettledSpread * window.mean();
}

std::optional<StopReason> StoppingCriterion::judge() const
{
    if (m_rule.kind == StoppingKind::Noise)
        return judgeNoise();
    if (m_rule.kind == StoppingKind::Count)
        return count() >= m_rule.maximumSamples ? std::optional(StopReason::FixedCount)
                                                : std::nullopt;
    if (m_totalSeconds < m_rule.minimumSeconds)
        return std::nullopt;
    if (m_rule.kind == StoppingKind::Time)
        return StopReason::FixedTime;
    return m_entropy.settled() ? std::optional(StopReason::NothingNew) : std::nullopt;
}

std::optional<StopReason> StoppingCriterion::judgeNoise() const
{
    if (m_undefinedInARow >= kUndefinedLimit)
        return StopReason::NoiseUndefined;
    if (m_totalSeconds <= m_rule.minimumSeconds || m_noiseCount == 0)
        return std::nullopt;
    if (relativeNoise() < m_rule.maximumRelativeNoise)
        return StopReason::QuietEnough;
    return noiseHasSettled() ? std::optional(StopReason::WillNotConverge) : std::nullopt;
}

}  // namespace qs::core
