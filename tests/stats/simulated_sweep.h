#pragma once

#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

// Sweeps by hand of a machine whose noise is known.
namespace qs::tests {

// Standard normal numbers by Box and Muller, who give two at a time; std::normal_distribution
// differs between libraries.
class Normal final
{
public:
    explicit Normal(std::uint64_t seed) : m_random(seed) {}

    double operator()()
    {
        if (m_second)
            return *std::exchange(m_second, std::nullopt);
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        const double angle = 2.0 * std::numbers::pi * uniform();
        m_second = radius * std::sin(angle);
        return radius * std::cos(angle);
    }
    // In (0, 1).
    double uniform() { return (static_cast<double>(m_random() >> 11U) + 0.5) * 0x1.0p-53; }
    std::size_t below(std::size_t bound) { return m_random() % bound; }

private:
    std::mt19937_64 m_random;
    std::optional<double> m_second;
};

// All fractions.
struct Machine {
    double betweenProcesses = 0.001;
    double betweenSamples = 0.003;
    double autocorrelation = 0.4;
    double wander = 0.0002;        // of the clock from one cell to the next, standard deviation
    double ramp = 0.003;           // of the clock from the first cell of a sweep to the last
    double clockReading = 0.0005;  // error of the clock that is read, standard deviation
    int samples = 64;
};

// How a cell differs from the machine: all fractions are multiplied.
struct CellNoise {
    double betweenProcesses = 1.0;
    double betweenSamples = 1.0;
};

// One sweep: seconds per round of each cell, cells in a fresh random order in each round, or always
// one after the other with all rounds of a cell together. `truth` is the work of each cell: its
// seconds at a clock of 1, which is also its cycles; `clock` is what a cell runs at, 1 if not
// given.
class Sweep final
{
public:
    Sweep(const Machine& machine, std::vector<double> truth, int rounds, Normal& normal,
          std::vector<double> clock = {}, std::vector<CellNoise> noise = {})
        : m_machine(machine),
          m_truth(std::move(truth)),
          m_rounds(rounds),
          m_normal(normal),
          m_clock(std::move(clock)),
          m_noise(std::move(noise)),
          m_seconds(m_truth.size()),
          m_cycles(m_truth.size()),
          m_variances(m_truth.size())
    {
        m_clock.resize(m_truth.size(), 1.0);
        m_noise.resize(m_truth.size());
    }

    // Of each round, as `interleaved` and `sequential` have measured them.
    [[nodiscard]] const std::vector<std::vector<double>>& cycles() const { return m_cycles; }

    // Inside the rounds, squared fractions, by the quartiles.
    [[nodiscard]] const std::vector<std::vector<double>>& variances() const { return m_variances; }

    const std::vector<std::vector<double>>& interleaved()
    {
        std::vector<std::size_t> order(m_truth.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (int round = 0; round < m_rounds; ++round) {
            for (std::size_t left = order.size(); left > 1; --left)
                std::swap(order[left - 1], order[m_normal.below(left)]);
            for (const std::size_t cell : order)
                measure(cell);
        }
        return m_seconds;
    }

    const std::vector<std::vector<double>>& sequential()
    {
        for (std::size_t cell = 0; cell < m_truth.size(); ++cell) {
            for (int round = 0; round < m_rounds; ++round)
                measure(cell);
        }
        return m_seconds;
    }

private:
    void measure(std::size_t cell)
    {
        const double cells = static_cast<double>(m_truth.size()) * m_rounds;
        const double drift = m_machine.ramp * m_measured++ / std::max(1.0, cells - 1.0);
        m_wandered += m_machine.wander * m_normal();
        const double process =
            m_machine.betweenProcesses * m_noise[cell].betweenProcesses * m_normal();
        const double clock = m_clock[cell] / (1.0 + drift + m_wandered);
        const double base = m_truth[cell] * (1.0 + process) / clock;
        const double rho = m_machine.autocorrelation;
        const double spread = m_machine.betweenSamples * m_noise[cell].betweenSamples;
        std::vector<double> samples;
        const double reading = m_machine.clockReading * m_readings();
        double deviation = m_normal();
        for (int i = 0; i < m_machine.samples; ++i) {
            deviation = rho * deviation + std::sqrt(1.0 - rho * rho) * m_normal();
            samples.push_back(base * (1.0 + spread * deviation));
        }
        const core::Quartiles of = core::quartiles(core::sorted(samples));
        const double deviationSeen = of.range() / 1.349 / of.median;
        m_variances[cell].push_back(deviationSeen * deviationSeen);
        m_seconds[cell].push_back(of.median);
        m_cycles[cell].push_back(m_seconds[cell].back() * clock * (1.0 + reading));
    }

    Machine m_machine;
    std::vector<double> m_truth;
    int m_rounds;
    Normal& m_normal;
    Normal m_readings{1};  // of their own: without a look at the cycles nothing differs
    std::vector<double> m_clock;
    std::vector<CellNoise> m_noise;
    std::vector<std::vector<double>> m_seconds;
    std::vector<std::vector<double>> m_cycles;
    std::vector<std::vector<double>> m_variances;
    double m_measured = 0.0;
    double m_wandered = 0.0;
};

}  // namespace qs::tests
