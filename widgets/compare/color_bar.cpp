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

QRect coloursIn(const QRect& area, int line)
{
    return area.adjusted(line / 2, line + 2, -line / 2, -(kColorBarTextLines - 1) * line - 2);
}

// Every `step`th of them. Those at the ends move inwards to stay within the area.
std::vector<ColorBarTick> everyTick(const QFontMetrics& metrics, const QRect& area,
                                    const MapScale& scale, bool clipped, int step)
{
    const int line = metrics.height();
    const QRect strip = coloursIn(area, line);
    std::vector<ColorBarTick> ticks;
    for (int tick = 0; tick < kTicks; tick += step) {
        const QString text = tickText(scale, tick, clipped);
        const int width = metrics.horizontalAdvance(text);
        const int mark = strip.left() + tick * (strip.width() - 1) / (kTicks - 1);
        const int left =
            std::clamp(mark - width / 2, area.left(), std::max(area.left(), area.right() - width));
        ticks.push_back({text, QRect(left, strip.bottom() + 2, width + 1, line), mark});
    }
    return ticks;
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

std::vector<ColorBarTick> colorBarTicks(const QFontMetrics& metrics, const QRect& area,
                                        const MapScale& scale, bool clipped)
{
    const int gap = metrics.horizontalAdvance(u' ');
    const auto touch = [gap](const ColorBarTick& a, const ColorBarTick& b) {
        return a.place.right() + gap > b.place.left();
    };
    int step = 1;
    std::vector<ColorBarTick> ticks = everyTick(metrics, area, scale, clipped, step);
    while (step < kTicks - 1 &&
           std::adjacent_find(ticks.begin(), ticks.end(), touch) != ticks.end()) {
        step *= 2;
        ticks = everyTick(metrics, area, scale, clipped, step);
    }
    return ticks;
}

void paintColorBar(QPainter& painter, const QRect& area, const MapScale& scale, bool clipped,
                   const QColor& textColour)
{
    const int line = painter.fontMetrics().height();
    const QRect strip = coloursIn(area, line);
    painter.setPen(textColour);
    const QString title =
        painter.fontMetrics().elidedText(scaleTitle(scale), Qt::ElideRight, area.width());
    painter.drawText(QRect(area.left(), area.top(), area.width(), line), Qt::AlignCenter, title);
    paintColours(painter, strip, scale.colormap());
    painter.drawRect(strip.adjusted(0, 0, -1, -1));
    for (const ColorBarTick& tick : colorBarTicks(painter.fontMetrics(), area, scale, clipped)) {
        painter.drawText(tick.place, Qt::AlignCenter, tick.text);
        painter.drawLine(tick.mark, strip.bottom() - 3, tick.mark, strip.bottom());
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

#include "moc_color_bar.cpp"
