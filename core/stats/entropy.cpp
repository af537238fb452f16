#include "core/stats/entropy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace qs::core {

namespace {

// Figures of nvbench (detail/entropy_criterion).
constexpr double kLargestAngleDegrees = 0.048;
constexpr double kSmallestR2 = 0.36;
// Sum of squares, below which entropies differ by the rounding of their logarithms only.
constexpr double kRounding = 1e-24;

double weightOf(std::size_t count)
{
    const auto c = static_cast<double>(count);
    return count > 0 ? c * std::log2(c) : 0.0;
}

}  // namespace

void EntropyWatch::add(double sampleSeconds)
{
    std::size_t& count = m_counts[sampleSeconds];
    m_weighted -= weightOf(count);
    m_weighted += weightOf(++count);
    ++m_samples;
    m_entropies[(m_samples - 1) % kWindow] = entropy();
}

double EntropyWatch::entropy() const
{
    if (m_samples == 0)
        return 0.0;
    const auto n = static_cast<double>(m_samples);
    // Rounding must not make it negative.
    return std::max(0.0, std::log2(n) - m_weighted / n);
}

// Least squares of the entropies over their index.
bool EntropyWatch::settled() const
{
    const std::size_t count = std::min(m_samples, kWindow);
    if (count < 2 || m_samples % 2 != 0)
        return false;
    const std::size_t oldest = m_samples > kWindow ? m_samples % kWindow : 0;
    const auto at = [&](std::size_t i) { return m_entropies[(oldest + i) % kWindow]; };
    const double middle = static_cast<double>(count - 1) / 2.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        mean += at(i) / static_cast<double>(count);
    double products = 0.0;
    double squares = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = static_cast<double>(i) - middle;
        const double y = at(i) - mean;
        products += x * y;
        squares += x * x;
        total += y * y;
    }
    const double slope = products / squares;
    if (std::atan(slope) * 180.0 / std::numbers::pi > kLargestAngleDegrees)
        return false;
    // A line through equal values explains all there is.
    return total < kRounding || products * products / (squares * total) >= kSmallestR2;
}

}  // namespace qs::core
