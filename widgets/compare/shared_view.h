#pragma once

#include <QObject>
#include <QPointF>
#include <QRect>
#include <QSize>

#include <optional>

namespace qs::widgets {

// Where all panes look: one place and one scale for all of them, so that equal places stand at
// equal places. Also carries the cursor and the marked tile. Coordinates are pixels of the picture.
class SharedView final : public QObject
{
    Q_OBJECT

public:
    static constexpr double kSmallestScale = 0.02;
    static constexpr double kLargestScale = 64.0;

    explicit SharedView(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] QSize pictureSize() const { return m_pictureSize; }
    // The whole picture is shown, as large as each pane allows.
    [[nodiscard]] bool isFit() const { return m_fit; }
    // Logical pixels of the screen per pixel of the picture in a viewport of this size.
    [[nodiscard]] double scaleIn(QSizeF viewport) const;
    [[nodiscard]] double fitScaleIn(QSizeF viewport) const;
    // What stands in the middle of every viewport.
    [[nodiscard]] QPointF centre() const;
    [[nodiscard]] std::optional<QPointF> cursor() const { return m_cursor; }
    [[nodiscard]] std::optional<QRect> mark() const { return m_mark; }
    // The rectangle that is being scored.
    [[nodiscard]] std::optional<QRect> region() const { return m_region; }
    // Dragging in a pane draws the region instead of moving the picture.
    [[nodiscard]] bool isDrawingRegion() const { return m_drawingRegion; }

    // Another size goes back to the whole picture and forgets mark and region.
    void setPictureSize(QSize size);
    void fit();
    // Shows `centre` (kept inside the picture) at `scale` (limited).
    void show(QPointF centre, double scale);
    // Multiplies the scale of a viewport of this size; `fixed` stays where it is on the screen.
    // Shrinking to the whole picture or less is fit().
    void zoomBy(double factor, QPointF fixed, QSizeF viewport);
    // Moves the picture by a distance on the screen. Nothing to move while all of it is shown.
    void panBy(QPointF screenDistance);
    void setCursor(std::optional<QPointF> cursor);
    void setMark(std::optional<QRect> mark);
    // Kept inside the picture; one that lies outside is none.
    void setRegion(std::optional<QRect> region);
    void setDrawingRegion(bool drawing);

Q_SIGNALS:
    void changed();
    void cursorChanged();

private:
    QSize m_pictureSize;
    bool m_fit = true;
    double m_scale = 1.0;
    QPointF m_centre;
    std::optional<QPointF> m_cursor;
    std::optional<QRect> m_mark;
    std::optional<QRect> m_region;
    bool m_drawingRegion = false;
};

// Where a pane paints its part of the picture, with places there and back.
struct PaneFrame {
    QRect area;  // of the pane
    const SharedView& view;

    // Logical pixels of the screen per pixel of the picture.
    [[nodiscard]] double scale() const { return view.scaleIn(area.size()); }
    [[nodiscard]] QPointF toPicture(QPointF widgetPoint) const
    {
        return view.centre() + (widgetPoint - QRectF(area).center()) / scale();
    }
    [[nodiscard]] QPointF toWidget(QPointF picturePoint) const
    {
        return QRectF(area).center() + (picturePoint - view.centre()) * scale();
    }
    // The part of the pane that shows the picture; the whole pane where none of it is seen.
    [[nodiscard]] QRect pictureArea() const
    {
        const QRectF picture(toWidget({0.0, 0.0}), QSizeF(view.pictureSize()) * scale());
        const QRect seen = picture.toRect() & area;
        return seen.isEmpty() ? area : seen;
    }
};

}  // namespace qs::widgets
