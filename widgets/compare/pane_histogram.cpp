#include "widgets/compare/pane_histogram.h"

#include "widgets/compare/pane_image.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr QSize kSize{160, 72};
constexpr int kHistogramGap = 6;

}  // namespace

PaneHistogram histogramOf(const QImage& image)
{
    PaneHistogram histogram;
    const QImage rgb = image.format() == QImage::Format_RGB32
                           ? image
                           : image.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < rgb.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(rgb.constScanLine(y));
        for (int x = 0; x < rgb.width(); ++x) {
            ++histogram.counts[0][static_cast<std::size_t>(qRed(line[x]))];
            ++histogram.counts[1][static_cast<std::size_t>(qGreen(line[x]))];
            ++histogram.counts[2][static_cast<std::size_t>(qBlue(line[x]))];
        }
    }
    return histogram;
}

void paintHistogram(QPainter& painter, const QRect& area, const PaneHistogram& histogram)
{
    const QSize size = kSize.boundedTo(area.size() - QSize(2 * kHistogramGap, 2 * kHistogramGap));
    if (size.width() < 32 || size.height() < 16)
        return;
    const QRect box(area.left() + kHistogramGap, area.bottom() - kHistogramGap - size.height() + 1,
                    size.width(), size.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(box, QColor(0, 0, 0, 170));
    // The ends hold what was clipped and would press the rest flat.
    int most = 1;
    for (const auto& channel : histogram.counts)
        most = std::max(most, *std::max_element(channel.begin() + 1, channel.end() - 1));
    constexpr std::array kColours{QColor(255, 90, 80, 150), QColor(90, 230, 100, 150),
                                  QColor(100, 150, 255, 150)};
    painter.setPen(Qt::NoPen);
    for (std::size_t c = 0; c < histogram.counts.size(); ++c) {
        QPolygonF outline{QPointF(box.bottomLeft())};
        for (int level = 0; level < 256; ++level) {
            const double share = std::sqrt(
                static_cast<double>(histogram.counts[c][static_cast<std::size_t>(level)]) / most);
            outline << QPointF(box.left() + box.width() * level / 255.0,
                               box.bottom() - box.height() * std::min(1.0, share));
        }
        outline << QPointF(box.bottomRight());
        painter.setBrush(kColours[c]);
        painter.drawPolygon(outline);
    }
    painter.restore();
}

void PaneLevels::setShown(bool shown)
{
    m_shown = shown;
    count();
}

// Of a copy with half a million pixels at most: the shape is the same, and nobody waits for it.
void PaneLevels::count()
{
    constexpr qint64 kEnough = 512 * 1024;
    m_histogram.reset();
    if (!m_shown || m_content.isNull())
        return;
    const QImage* counted = &m_content.image;
    for (const QImage& level : m_content.smaller) {
        if (qint64{counted->width()} * counted->height() > kEnough)
            counted = &level;
    }
    m_histogram = histogramOf(*counted);
}

}  // namespace qs::widgets
