#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace qs::core {

// Mean and spread of numbers that arrive one by one (Welford), so that microsecond differences
// between samples of seconds survive. Units are those of the numbers.
class Moments final
{
public:
    void add(double value);
    // All numbers of the other, as if they had come one by one.
    void add(const Moments& other);

    [[nodiscard]] std::size_t count() const { return m_count; }
    // NaN without numbers; so are the others that are not defined.
    [[nodiscard]] double mean() const;
    [[nodiscard]] double minimum() const;
    [[nodiscard]] double maximum() const;
    // Sample variance (divided by n − 1); NaN below two numbers.
    [[nodiscard]] double variance() const;
    [[nodiscard]] double standardDeviation() const;
    // Standard deviation over mean, as a fraction; not finite if the mean is zero.
    [[nodiscard]] double coefficientOfVariation() const;

private:
    std::size_t m_count = 0;
    double m_mean = 0.0;
    double m_squares = 0.0;  // sum of squared distances from the mean
    double m_minimum = std::numeric_limits<double>::infinity();
    double m_maximum = -std::numeric_limits<double>::infinity();
};

[[nodiscard]] Moments momentsOf(std::span<const double> values);

// All > 0, at least one. Equal values have themselves as their mean, to the last bit.
[[nodiscard]] double geometricMean(std::span<const double> values);

}  // namespace qs::core
