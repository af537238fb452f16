#pragma once

#include "widgets/plot/curve_drawing.h"

#include <QPoint>
#include <QRect>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QStackedLayout;

namespace qs::widgets {

class PlotCanvas;

// What is said of the point of a cell.
using CellToolTip = std::function<QString(const QString& cellId)>;

// The drawing surface of curves: wheel zooms, dragging pans, a double click shows everything again.
// A click on a point names its cell, another one the next cell at the same place, a click on the
// legend brings its curve out and names the cell of it that stands above the selected one, or else
// its best; with Ctrl it hides or shows the curve. Keys: arrows walk over the points, + and - zoom,
// Home shows everything.
class CurvePlot final : public QWidget
{
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);

    // Keeps the zoom and the hidden curves as long as metric and axis stay.
    void setCurves(CurveSet set);
    void setSelectedCell(const QString& cellId);
    void setLogarithmic(bool x, bool y);
    void setRoofsShown(bool shown);
    void setCurveShown(const QString& key, bool shown);
    void setHighlighted(const QString& key);
    // What is said of the cell of a point under the pointer.
    void setToolTips(CellToolTip toolTips);
    // Shown in place of the plot while there is no curve.
    void setEmptyText(const QString& text);
    // Points are to come: the axes of the plan are shown before there is any.
    void setAwaiting(bool awaiting);
    void resetZoom();
    void zoomBy(double factor);  // below 1 is closer

    [[nodiscard]] const CurveSet& curves() const { return m_set; }
    [[nodiscard]] const CurveLook& look() const { return m_look; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    // Of the axes, in the form of fullRange().
    [[nodiscard]] QRectF visibleRange() const;
    // Where a cell is drawn, in pixels of this widget; nothing if it is not.
    [[nodiscard]] std::optional<QPoint> positionOf(const QString& cellId) const;

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void cellClicked(const QString& cellId);
    // A curve was hidden or shown by the user.
    void curvesToggled();
    // Something else than before is seen now (after each step of a zoom), or everything again; or
    // the legend has another place, or names more or fewer curves.
    void viewChanged(bool zoomed);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Hit {
        QString cellId;
        QString toolTip;  // empty: that of the cell
        QPointF at;       // pixels
        double away = 0.0;
    };

    void connectMouse();
    void redraw();
    void applyTheme();
    void showRange(const QRectF& range);
    void hover(const QPointF& position, const QPoint& global);
    void click(const QPointF& position, Qt::KeyboardModifiers modifiers);
    void clickLegend(const QString& key, Qt::KeyboardModifiers modifiers);
    void setZoomed(bool zoomed);
    // The point under the pointer or very near to it, and those that it hides.
    [[nodiscard]] std::vector<Hit> hitsAt(const QPointF& position) const;

    CurveSet m_set;
    CurveLook m_look;
    PlotCanvas* m_plot = nullptr;  // child
    QLabel* m_empty = nullptr;     // child
    QStackedLayout* m_pages = nullptr;
    QPointF m_pressed;
    CellToolTip m_toolTips;
    QString m_chosen;  // the curve that stays brought out
    bool m_zoomed = false;
    bool m_awaiting = false;
    bool m_settingRange = false;
};

// Where the axes lie in it, without their numbers and the legend.
[[nodiscard]] QRect axesPlace(const CurvePlot& plot);
// What the plot does not show: points of curves that are not hidden beyond the axes, and which of
// two curves is which. Empty if it shows all.
[[nodiscard]] QString unseenText(const CurvePlot& plot);

}  // namespace qs::widgets
