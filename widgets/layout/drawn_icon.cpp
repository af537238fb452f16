#include "widgets/layout/drawn_icon.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>

namespace qs::widgets {

namespace {

constexpr int kUnits = 16;  // of the square that shapes are drawn in

const char* nameOf(DrawnIcon icon)
{
    switch (icon) {
    case DrawnIcon::Pause:
        return "pause";
    case DrawnIcon::Skip:
        return "skip";
    case DrawnIcon::StopAfterCell:
        return "stop-after-cell";
    case DrawnIcon::StopNow:
        return "stop-now";
    case DrawnIcon::Undo:
        return "undo";
    case DrawnIcon::Redo:
        return "redo";
    case DrawnIcon::Export:
        return "export";
    case DrawnIcon::Warning:
        return "warning";
    case DrawnIcon::Information:
        return "information";
    }
    return "";
}

// Pointing to the left, from the shaft that it turns round.
QPainterPath turnedArrow()
{
    QPainterPath path;
    path.addPolygon(QPolygonF({{1, 6}, {6, 1}, {6, 11}, {1, 6}}));
    path.addRect(6, 5, 6, 2);
    path.addRect(12, 5, 2, 8);
    path.addRect(6, 12, 8, 2);
    return path.simplified();
}

// An i, or upside down an exclamation mark, between these heights.
QPainterPath stroke(qreal top, qreal bottom, bool dotBelow)
{
    QPainterPath path;
    path.addRect(7, dotBelow ? top : top + 3, 2, bottom - top - 3);
    path.addRect(7, dotBelow ? bottom - 2 : top, 2, 2);
    return path;
}

QPainterPath shapeOf(DrawnIcon icon)
{
    QPainterPath path;
    switch (icon) {
    case DrawnIcon::Pause:
        path.addRect(3, 2, 4, 12);
        path.addRect(9, 2, 4, 12);
        break;
    case DrawnIcon::Skip:
        path.addPolygon(QPolygonF({{2, 2}, {11, 8}, {2, 14}, {2, 2}}));
        path.addRect(11, 2, 3, 12);
        break;
    case DrawnIcon::StopAfterCell:
        // A frame: the cell is finished before the stop.
        path.addRect(2, 2, 12, 12);
        path.addRect(5, 5, 6, 6);
        break;
    case DrawnIcon::StopNow:
        path.addRect(2, 2, 12, 12);
        break;
    case DrawnIcon::Undo:
        return turnedArrow();
    case DrawnIcon::Redo:
        return QTransform(-1, 0, 0, 1, kUnits, 0).map(turnedArrow());
    case DrawnIcon::Export:
        // Out of a tray.
        path.addPolygon(QPolygonF({{8, 1}, {12, 6}, {4, 6}, {8, 1}}));
        path.addRect(7, 6, 2, 5);
        path.addPolygon(QPolygonF(
            {{1, 9}, {3, 9}, {3, 13}, {13, 13}, {13, 9}, {15, 9}, {15, 15}, {1, 15}, {1, 9}}));
        break;
    case DrawnIcon::Warning:
        path.addPolygon(QPolygonF({{8, 1}, {15.5, 15}, {0.5, 15}, {8, 1}}));
        break;
    case DrawnIcon::Information:
        path.addEllipse(1, 1, 14, 14);
        path.addPath(stroke(4, 12, false));
        break;
    }
    return path;
}

QColor inkOf(QIcon::Mode mode)
{
    const QPalette palette = QGuiApplication::palette();
    switch (mode) {
    case QIcon::Disabled:
        return palette.color(QPalette::Disabled, QPalette::ButtonText);
    case QIcon::Selected:
        return palette.color(QPalette::Active, QPalette::HighlightedText);
    case QIcon::Normal:
    case QIcon::Active:
        break;
    }
    return palette.color(QPalette::Active, QPalette::ButtonText);
}

class DrawnIconEngine final : public QIconEngine
{
public:
    explicit DrawnIconEngine(DrawnIcon icon) : m_icon(icon) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / qreal(kUnits), rect.height() / qreal(kUnits));
        if (m_icon == DrawnIcon::Warning) {
            painter->fillPath(shapeOf(m_icon), QColor(0xe8, 0xa3, 0x17));
            painter->fillPath(stroke(5, 13.5, true), Qt::black);
        } else {
            painter->fillPath(shapeOf(m_icon), inkOf(mode));
        }
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, {{0, 0}, size}, mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new DrawnIconEngine(m_icon); }
    QString iconName() override
    {
        return QLatin1String(kIconFamily) + QLatin1String(nameOf(m_icon));
    }

private:
    DrawnIcon m_icon;
};

}  // namespace

QIcon drawnIcon(DrawnIcon icon)
{
    return QIcon(new DrawnIconEngine(icon));  // which takes it
}

}  // namespace qs::widgets
