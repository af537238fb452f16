#pragma once

#include "core/analysis/measured_course.h"

#include <QWidget>

namespace qs::widgets {

// The colour of a phase, on light or dark ground.
[[nodiscard]] QColor phaseColour(core::Phase phase, bool dark);

// The phases of a measurement as a bar along time, parts of a phase below it.
class PhaseStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit PhaseStrip(QWidget* parent = nullptr);

    void setCourse(const core::MeasuredCourse& course);
    // The phases with their colours and lengths as rich text, for a legend.
    [[nodiscard]] QString legend() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF areaOf(const core::CoursePhase& phase) const;
    [[nodiscard]] const core::CoursePhase* phaseAt(const QPointF& point) const;

    std::vector<core::CoursePhase> m_phases;
    double m_seconds = 0.0;
};

}  // namespace qs::widgets
