#pragma once

#include "core/device/telemetry.h"

#include <QTimer>
#include <QWidget>

#include <deque>
#include <string>

class QLabel;

namespace qs::app {

// Temperature, clock and power of the first GPU with their course over the last minute, and in red
// what slows it down. Hidden until there is a reading, so without an
// NVIDIA driver for good.
class TelemetryStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit TelemetryStrip(const std::string& nvmlLibrary = core::Nvml::kLibrary,
                            QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void look();
    [[nodiscard]] QString text(const core::GpuReading& reading) const;

    static constexpr int kLookMs = 500;
    static constexpr double kShownSeconds = 60.0;

    core::Telemetry m_telemetry;
    QTimer m_look;
    // Readings of the first GPU, one a look: what is shown is a course, not a measurement.
    struct Point {
        double seconds = 0.0;
        core::GpuReading reading;
    };
    std::deque<Point> m_points;
    QLabel* m_text = nullptr;
};

}  // namespace qs::app
