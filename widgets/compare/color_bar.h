#pragma once

#include "widgets/compare/map_scale.h"

#include <QWidget>

#include <vector>

namespace qs::widgets {

// Paints the colours of a scale from left to right with their values below and the title above.
// `clipped` says that the map has values beyond the end, which share its colour.
void paintColorBar(QPainter& painter, const QRect& area, const MapScale& scale, bool clipped,
                   const QColor& textColour);
// A value below the colours: the place of its text and of its mark.
struct ColorBarTick {
    QString text;
    QRect place;
    int mark = 0;
};

// As many as have room beside one another below the colours of that area: all, the middle and the
// ends, or the ends alone.
[[nodiscard]] std::vector<ColorBarTick>
colorBarTicks(const QFontMetrics& metrics, const QRect& area, const MapScale& scale, bool clipped);
// Lines of text above and below the colours, for the height of an area.
inline constexpr int kColorBarTextLines = 2;

// The one colour bar of the maps.
class ColorBar final : public QWidget
{
    Q_OBJECT

public:
    explicit ColorBar(QWidget* parent = nullptr);

    void setScale(const MapScale& scale, bool clipped);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MapScale m_scale;
    bool m_clipped = false;
};

}  // namespace qs::widgets
