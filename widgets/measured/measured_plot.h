#pragma once

#include "core/analysis/measured_course.h"
#include "core/stats/histogram.h"
#include "core/stats/summary.h"
#include "widgets/measured/measured_text.h"
#include "widgets/plot/curve_style.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QCPAxis;
class QCPAxisRect;
class QCPMarginGroup;
class QCustomPlot;

namespace qs::widgets {

// What the plot shows of one row.
struct MeasuredSeries {
    core::MeasuredCourse course;
    std::optional<core::SampleSummary> summary;  // of the samples that count
    std::vector<core::HistogramBin> bins;        // of the same
    core::DeviceTrace trace;
};

// Samples over time with their histogram, and below, on the same axis of time, what the device did:
// clock, power, temperature, how much of the time the driver held the clock down, and bands where
// something slowed it down. The wheel and the keys + and
// - zoom along time, dragging and the arrows move, Home shows the samples, End the whole cell.
class MeasuredPlot final : public QWidget
{
    Q_OBJECT

public:
    explicit MeasuredPlot(QWidget* parent = nullptr);

    void setSeries(MeasuredSeries series);
    void showSamples();
    void showWholeCell();
    // Of the axis of time, or of numbers where times are not known.
    [[nodiscard]] core::Interval visibleSpan() const;
    // How many plots lie above each other, the samples included.
    [[nodiscard]] int strips() const { return static_cast<int>(m_strips.size()); }
    // What the pointer is told at a place of this widget; empty where there is nothing.
    [[nodiscard]] QString textAt(const QPointF& position) const;
    // Where a pass is drawn.
    [[nodiscard]] QPointF positionOf(const core::CoursePass& pass) const;
    // The colours of the marks in words, as rich text.
    [[nodiscard]] QString legend() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    using Reading = std::function<std::optional<double>(const core::DevicePoint&)>;

    void rebuild();
    QCPAxisRect* addStrip(const QString& label, int stretch);
    void styleAxis(QCPAxis& axis) const;
    void drawSamples();
    void drawPasses(core::PassKind kind, const QColor& colour, bool hollow);
    void drawQuartiles();
    void drawHistogram();
    void drawTrace();
    void drawReading(const QString& label, const Reading& reading, const QColor& colour);
    void drawCapped();
    void drawSlowdowns();
    void linkAxes();
    void setSpan(double lower, double upper);
    [[nodiscard]] double shown(const core::CoursePass& pass) const;
    [[nodiscard]] QString passText(const core::CoursePass& pass) const;
    [[nodiscard]] QString deviceText(double at) const;

    MeasuredSeries m_series;
    PlotTheme m_theme;
    TimeUnit m_unit;
    double m_least = 0.0;  // of the axis of the samples, in its unit
    double m_most = 1.0;
    QCustomPlot* m_plot = nullptr;           // child
    std::vector<QCPMarginGroup*> m_margins;  // of the plot
    std::vector<QCPAxisRect*> m_strips;      // of the plot, from top to bottom
    QCPAxisRect* m_histogram = nullptr;
};

}  // namespace qs::widgets
