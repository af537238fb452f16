#pragma once

#include <cstddef>
#include <vector>

namespace qs::core {

// When a workload counts as warm. Times in seconds.
struct WarmupRule {
    double minimumSeconds = 0.5;     // elapsed, before steadiness is believed
    double maximumSeconds = 30.0;    // elapsed, after which the measurement begins anyway, flagged
    std::size_t windowSamples = 16;  // a window has at least this many samples …
    double windowSeconds =
        0.2;  // … and at least this sum, so that short kernels are not judged by microseconds
    double tolerance = 0.01;  // three window medians in a row within this fraction are steady
};

enum class WarmupState {
    Warming,
    Steady,
    TimeLimit,  // the maximum has passed without three like windows
};

// Watches samples in windows. One use: add() until it answers something else than Warming.
class WarmupDetector final
{
public:
    explicit WarmupDetector(const WarmupRule& rule);

    // `elapsedSeconds`: since warm-up began, by the caller's clock.
    [[nodiscard]] WarmupState add(double sampleSeconds, double elapsedSeconds);

    // Of the complete windows, in seconds; the warm-up curve of the report.
    [[nodiscard]] const std::vector<double>& windowMedians() const { return m_medians; }

private:
    [[nodiscard]] bool lastWindowsAgree() const;

    WarmupRule m_rule;
    std::vector<double> m_window;
    double m_windowTotal = 0.0;
    std::vector<double> m_medians;
};

}  // namespace qs::core
