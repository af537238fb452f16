#include "widgets/compare/map_legend.h"

#include "widgets/compare/color_bar.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace qs::widgets {

MapLegend::MapLegend(QWidget* parent)
    : QWidget(parent), m_bar(new ColorBar), m_magnify(new QToolButton)
{
    m_bar->setMaximumWidth(460);
    m_magnify->setObjectName(QStringLiteral("magnify"));
    m_magnify->setToolTip(tr("The maps use less than a tenth of their scale. The colour bar shows "
                             "when the scale is magnified."));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_magnify);
    layout->addWidget(m_bar, 1);
    connect(m_magnify, &QToolButton::clicked, this, [this] { Q_EMIT rangeWanted(m_clearer); });
}

// Clipped where one map is, and clearer only where that suits all.
void MapLegend::showScale(const MapScale& scale, const std::vector<DrawnMap>& maps)
{
    double largest = 0.0;
    m_clearer = 0.0;
    bool magnify = false;
    bool full = false;
    for (const DrawnMap& drawn : maps) {
        if (drawn.of == nullptr || drawn.largest <= 0.0)
            continue;
        largest = std::max(largest, drawn.largest);
        magnify = magnify || drawn.clearer.has_value();
        full = full || !drawn.clearer.has_value();
        m_clearer = std::max(m_clearer, drawn.clearer.value_or(0.0));
    }
    m_bar->setScale(scale, largest > scale.range);
    m_magnify->setVisible(magnify && !full);
    m_magnify->setText(tr("Differences are small: use scale %1")
                           .arg(rangeText({.kind = scale.kind, .range = m_clearer})));
}

}  // namespace qs::widgets
