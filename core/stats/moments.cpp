#include "core/stats/moments.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Moments::add(double value)
{
    ++m_count;
    const double distance = value - m_mean;
    m_mean += distance / static_cast<double>(m_count);
    m_squares += distance * (value - m_mean);
    m_minimum = std::min(m_minimum, value);
    m_maximum = std::max(m_maximum, value);
}

// Chan, Golub and LeVeque (1979).
void Moments::add(const Moments& other)
{
    if (other.m_count == 0)
        return;
    const auto here = static_cast<double>(m_count);
    const auto there = static_cast<double>(other.m_count);
    const double distance = other.m_mean - m_mean;
    m_mean += distance * there / (here + there);
    m_squares += other.m_squares + distance * distance * here * there / (here + there);
    m_count += other.m_count;
    m_minimum = std::min(m_minimum, other.m_minimum);
    m_maximum = std::max(m_maximum, other.m_maximum);
}

double Moments::mean() const
{
    return m_count > 0 ? m_mean : kUndefined;
}

double Moments::minimum() const
{
    return m_count > 0 ? m_minimum : kUndefined;
}

double Moments::maximum() const
{
    return m_count > 0 ? m_maximum : kUndefined;
}

double Moments::variance() const
{
    return m_count > 1 ? m_squares / static_cast<double>(m_count - 1) : kUndefined;
}

double Moments::standardDeviation() const
{
    return std::sqrt(variance());
}

double Moments::coefficientOfVariation() const
{
    return standardDeviation() / mean();
}

Moments momentsOf(std::span<const double> values)
{
    Moments moments;
    for (const double value : values)
        moments.add(value);
    return moments;
}

double geometricMean(std::span<const double> values)
{
    QS_ASSERT(!values.empty());
    Moments logarithms;
    for (const double value : values) {
        QS_ASSERT(value > 0.0);
        logarithms.add(std::log(value));
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least == *most ? *least : std::exp(logarithms.mean());
}

}  // namespace qs::core
