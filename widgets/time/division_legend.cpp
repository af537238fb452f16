#include "widgets/time/division_legend.h"

#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"
#include "widgets/time/work_share.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPixmap>

namespace qs::widgets {

namespace {

QPixmap swatch(const QColor& color, int side, qreal ratio)
{
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(color);
    return pixmap;
}

}  // namespace

DivisionLegend::DivisionLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("divisionLegend"));
    auto* flow = new FlowLayout(this, fontMetrics().averageCharWidth() * 2);
    for (const WorkPart& part : workParts()) {
        auto* entry = new QWidget(this);
        entry->setToolTip(plainTip(workPartAbout(part)));
        auto* line = new QHBoxLayout(entry);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(4);
        auto* colour = new QLabel(entry);
        colour->setTextFormat(Qt::PlainText);
        colour->setObjectName(QStringLiteral("swatch"));
        auto* name = new QLabel(workPartName(part), entry);
        name->setTextFormat(Qt::PlainText);
        line->addWidget(colour);
        line->addWidget(name);
        flow->addWidget(entry);
    }
    colour();
}

void DivisionLegend::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        colour();
    QWidget::changeEvent(event);
}

void DivisionLegend::colour()
{
    const bool dark = palette().color(QPalette::Window).lightness() <
                      palette().color(QPalette::WindowText).lightness();
    const auto swatches = findChildren<QLabel*>(QStringLiteral("swatch"));
    const auto parts = workParts();
    for (qsizetype i = 0; i < swatches.size(); ++i)
        swatches[i]->setPixmap(swatch(workPartColour(parts[static_cast<std::size_t>(i)], dark),
                                      fontMetrics().ascent(), devicePixelRatioF()));
}

}  // namespace qs::widgets

#include "moc_division_legend.cpp"
