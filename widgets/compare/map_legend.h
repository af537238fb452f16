#pragma once

#include "widgets/compare/map_drawer.h"

#include <QWidget>

class QToolButton;

namespace qs::widgets {

class ColorBar;

// The one scale of all maps: its colours, and the offer to magnify it where that suits all of them.
class MapLegend final : public QWidget
{
    Q_OBJECT

public:
    explicit MapLegend(QWidget* parent = nullptr);

    void showScale(const MapScale& scale, const std::vector<DrawnMap>& maps);

Q_SIGNALS:
    void rangeWanted(double range);

private:
    ColorBar* m_bar;
    QToolButton* m_magnify;
    double m_clearer = 0.0;  // range that the button asks for
};

}  // namespace qs::widgets
