#include "widgets/compare/color_bar.h"

#include "widgets/models/plain_tip.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kTicks = 5;

QString tickText(const MapScale& scale, int tick, bool clipped)
{
    const double part = static_cast<double>(tick) / (kTicks - 1);
    const double value = scale.low() + part * (scale.high() - scale.low());
    const QString number = QLocale().toString(value, 'g', 4);
    if (clipped && tick == kTicks - 1)
        return QStringLiteral("≥ ") + number;
    if (clipped && tick == 0 && scale.kind == MapKind::Signed)
        return QStringLiteral("≤ ") + number;
    return number;
}

void paintColours(QPainter& painter, const QRect& strip, core::Colormap colormap)
{
    QImage colours(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) {
        const core::RgbBytes rgb = core::mapToRgb(i / 255.0, colormap);
        colours.setPixel(i, 0, qRgb(rgb[0], rgb[1], rgb[2]));
    }
    painter.drawImage(strip, colours);
}

}  // namespace

void paintColorBar(QPainter& painter, const QRect& area, const MapScale& scale, bool clipped,
                   const QColor& textColour)
{
    const int line = painter.fontMetrics().height();
    const QRect strip =
        area.adjusted(line / 2, line + 2, -line / 2, -(kColorBarTextLines - 1) * line - 2);
    painter.setPen(textColour);
    const QString title =
        painter.fontMetrics().elidedText(scaleTitle(scale), Qt::ElideRight, area.width());
    painter.drawText(QRect(area.left(), area.top(), area.width(), line), Qt::AlignCenter, title);
    paintColours(painter, strip, scale.colormap());
    painter.drawRect(strip.adjusted(0, 0, -1, -1));
    // Where there is no room for all, the middle and the ends, or the ends alone.
    const auto needed = [&](int step) {
        int width = 0;
        for (int tick = 0; tick < kTicks; tick += step)
            width += painter.fontMetrics().horizontalAdvance(tickText(scale, tick, clipped) + u' ');
        return width;
    };
    int step = 1;
    while (step < kTicks - 1 && needed(step) > area.width())
        step *= 2;
    for (int tick = 0; tick < kTicks; tick += step) {
        const QString text = tickText(scale, tick, clipped);
        const int width = painter.fontMetrics().horizontalAdvance(text);
        const int x = strip.left() + tick * (strip.width() - 1) / (kTicks - 1);
        const int left =
            std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
        painter.drawText(QRect(left, strip.bottom() + 2, width + 1, line), Qt::AlignCenter, text);
        painter.drawLine(x, strip.bottom() - 3, x, strip.bottom());
    }
}

ColorBar::ColorBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setScale({}, false);
}

void ColorBar::setScale(const MapScale& scale, bool clipped)
{
    m_scale = scale;
    m_clipped = clipped;
    setAccessibleName(tr("Colour scale"));
    setAccessibleDescription(tr("%1, %2").arg(scaleTitle(scale), rangeText(scale)));
    setToolTip(plainTip(kindExplanation(scale.kind) + QLatin1Char('\n') +
                        tr("The scale is fixed, never fitted to one image, so that maps of all "
                           "cells can be compared.")));
    update();
}

QSize ColorBar::sizeHint() const
{
    const int line = fontMetrics().height();
    return {260, kColorBarTextLines * line + line / 2 + 6};
}

QSize ColorBar::minimumSizeHint() const
{
    return {72, sizeHint().height()};
}

void ColorBar::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    paintColorBar(painter, rect(), m_scale, m_clipped, palette().color(QPalette::WindowText));
}

}  // namespace qs::widgets
