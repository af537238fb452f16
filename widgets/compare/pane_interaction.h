#pragma once

#include <QObject>
#include <QPointF>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace qs::widgets {

class PaneSplit;
class PaneTextLayout;
class SharedView;
struct PaneImage;
struct PaneFrame;

// How a pane answers mouse and keys. The wheel zooms about the cursor; dragging moves the picture
// or the split, or draws a region where the view asks for one.
class PaneInteraction final : public QObject
{
    Q_OBJECT

public:
    struct Parts {
        SharedView& view;
        PaneSplit& split;
        const PaneTextLayout& texts;
        const PaneImage& content;
    };

    // Becomes a child of the pane and watches its events. The parts must outlive it.
    PaneInteraction(QWidget& pane, const Parts& parts);

    // The Delete key asks for it.
    void setRemovable() { m_removable = true; }

Q_SIGNALS:
    // A region has been drawn to its end.
    void regionDrawn();
    void removePressed();
    // A double click.
    void aloneWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Picture, Split, Region };

    bool turnWheel(QWheelEvent& event);
    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release();
    bool pressKey(const QKeyEvent& event);
    void drawRegionTo(QPointF point);

    void moveSplit(double position);
    [[nodiscard]] PaneFrame frame() const;

    QWidget& m_pane;
    Parts m_parts;
    bool m_removable = false;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
};

}  // namespace qs::widgets
