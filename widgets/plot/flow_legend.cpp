#include "widgets/plot/flow_legend.h"

#include <QFontMetrics>

namespace qs::widgets {

namespace {

constexpr int kEntryGap = 14;
constexpr int kIconGap = 7;  // what QCustomPlot has

}  // namespace

std::vector<int> flowRows(const std::vector<int>& widths, int width)
{
    std::vector<int> rows;
    int row = 0;
    int x = 0;
    for (const int each : widths) {
        if (x > 0 && x + each > width) {
            ++row;
            x = 0;
        }
        rows.push_back(row);
        x += each + kEntryGap;
    }
    return rows;
}

int flowNameWidth(int rowWidth, int iconWidth)
{
    return rowWidth - iconWidth - kIconGap;
}

int flowEntryWidth(const QString& name, const QFont& font, int iconWidth)
{
    // As QCustomPlot measures it.
    return iconWidth + kIconGap +
           QFontMetrics(font).boundingRect(0, 0, 0, 0, Qt::TextDontClip, name).width();
}

std::vector<int> FlowLegend::rows() const
{
    std::vector<int> widths;
    for (int i = 0; i < itemCount(); ++i)
        widths.push_back(item(i)->minimumOuterSizeHint().width());
    return flowRows(widths, m_rowWidth - margins().left() - margins().right());
}

void FlowLegend::updateLayout()
{
    if (m_rowWidth == 0)
        return QCPLegend::updateLayout();
    const std::vector<int> places = rows();
    const int step = iconSize().height() + rowSpacing();
    int x = 0;
    for (int i = 0; i < itemCount(); ++i) {
        const auto place = static_cast<std::size_t>(i);
        if (i > 0 && places[place] != places[place - 1])
            x = 0;
        const QSize size = item(i)->minimumOuterSizeHint();
        item(i)->setOuterRect({rect().left() + x, rect().top() + places[place] * step,
                               qMin(size.width(), qMax(0, rect().width() - x)), size.height()});
        x += size.width() + kEntryGap;
    }
}

QSize FlowLegend::minimumOuterSizeHint() const
{
    if (m_rowWidth == 0)
        return QCPLegend::minimumOuterSizeHint();
    const int count = itemCount() == 0 ? 0 : rows().back() + 1;
    const int height = count * (iconSize().height() + rowSpacing());
    return {1, height + margins().top() + margins().bottom()};
}

QSize FlowLegend::maximumOuterSizeHint() const
{
    const QSize usual = QCPLegend::maximumOuterSizeHint();
    // One without entries would be as narrow as its margins, and the axes above it with it.
    return m_rowWidth == 0 ? usual : QSize(QWIDGETSIZE_MAX, usual.height());
}

}  // namespace qs::widgets
