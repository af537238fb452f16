#include "widgets/compare/difference_plot.h"

#include "widgets/models/number_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kBarsHeight = 96;
constexpr int kWidth = 320;

}  // namespace

DifferencePlot::DifferencePlot(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("differencePlot"));
    setAccessibleName(tr("Histogram of the differences"));
    setToolTip(tr("How many values differ by how much from the reference. The height of a bar is "
                  "the root of the count, so that rare differences are seen."));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize DifferencePlot::sizeHint() const
{
    return {kWidth, kBarsHeight + fontMetrics().height() + 4};
}

void DifferencePlot::setBins(std::vector<core::HistogramBin> bins)
{
    m_bins = std::move(bins);
    if (!m_bins.empty())
        setAccessibleDescription(tr("From %1 to %2")
                                     .arg(significantText(m_bins.front().lower, 3),
                                          significantText(m_bins.back().upper, 3)));
    update();
}

void DifferencePlot::paintEvent(QPaintEvent*)
{
    if (m_bins.empty())
        return;
    QPainter painter(this);
    std::size_t most = 1;
    for (const core::HistogramBin& bin : m_bins)
        most = std::max(most, bin.count);
    const QRectF area(0.0, 0.0, std::min(width(), 2 * kWidth), kBarsHeight);
    const double step = area.width() / static_cast<double>(m_bins.size());
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        const double share =
            std::sqrt(static_cast<double>(m_bins[i].count) / static_cast<double>(most));
        const double high = area.height() * share;
        painter.fillRect(QRectF(step * static_cast<double>(i), area.bottom() - high,
                                std::max(1.0, step - 1.0), high),
                         palette().color(QPalette::Highlight));
    }
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const QRectF texts(area.left(), area.bottom() + 2.0, area.width(), fontMetrics().height());
    painter.drawText(texts, Qt::AlignLeft, significantText(m_bins.front().lower, 3));
    painter.drawText(texts, Qt::AlignRight, significantText(m_bins.back().upper, 3));
}

}  // namespace qs::widgets

#include "moc_difference_plot.cpp"
