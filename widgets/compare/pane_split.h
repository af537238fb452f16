#pragma once

#include "widgets/compare/pane_image.h"

#include <QPainter>
#include <QRect>
#include <QString>

#include <utility>

namespace qs::widgets {

// A second picture left of a movable line, with labels at that line.
class PaneSplit final
{
public:
    void set(PaneImage left, QString leftName, QString rightName);
    void clear() { m_left = {}; }

    [[nodiscard]] bool isOn() const { return !m_left.isNull(); }
    [[nodiscard]] const PaneImage& left() const { return m_left; }
    // Where the line stands, as a part of the width of what is seen of the picture: at no place is
    // it beside it.
    [[nodiscard]] double position() const { return m_position; }
    void setPosition(double position);

    // `area` is what is seen of the picture, see PaneFrame::pictureArea.
    [[nodiscard]] int xIn(const QRect& area) const;
    // Near enough to take hold of the line.
    [[nodiscard]] bool isNear(QPointF point, const QRect& area) const;
    void paintLine(QPainter& painter, const QRect& area) const;

private:
    PaneImage m_left;
    QString m_leftName;
    QString m_rightName;
    double m_position = 0.5;
};

// In two colours: such a line is seen on any picture.
void drawContrastingLine(QPainter& painter, const QLineF& line);

}  // namespace qs::widgets
