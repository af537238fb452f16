#include "widgets/plot/metric_list.h"

#include "widgets/layout/style_name.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_metric.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QProxyStyle>
#include <QStandardItemModel>

#include <algorithm>
#include <array>

namespace qs::widgets {

namespace {

constexpr int kMostSeen = 16;  // entries of an open list

constexpr std::array kGroups{MetricGroup::Speed,      MetricGroup::Memory, MetricGroup::Quality,
                             MetricGroup::WorkShares, MetricGroup::Cost,   MetricGroup::Compiling};

struct MetricListText {
    Q_DECLARE_TR_FUNCTIONS(MetricList)
};

QString titleOf(MetricGroup group)
{
    switch (group) {
    case MetricGroup::Speed:
        return MetricListText::tr("Speed");
    case MetricGroup::Memory:
        return MetricListText::tr("Memory");
    case MetricGroup::Quality:
        return MetricListText::tr("Quality");
    case MetricGroup::WorkShares:
        return MetricListText::tr("Time by kind of work");
    case MetricGroup::Cost:
        return MetricListText::tr("Energy and cost");
    case MetricGroup::Compiling:
        return MetricListText::tr("Compiling");
    }
    return {};
}

// Opens as a list below its box, where some styles lay a menu as tall as the screen over it.
class ScrollingList final : public QProxyStyle
{
public:
    ScrollingList() : QProxyStyle(nameOfStyle(*QApplication::style())) {}

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* result) const override
    {
        return hint == SH_ComboBox_Popup ? 0 : QProxyStyle::styleHint(hint, option, widget, result);
    }
};

void addHeading(QComboBox& box, const QString& title)
{
    box.addItem(title);
    const int row = box.count() - 1;
    QFont bold = box.font();
    bold.setBold(true);
    box.setItemData(row, bold, Qt::FontRole);
    // What an accessible reader or a key can stand on is a metric.
    if (auto* model = qobject_cast<QStandardItemModel*>(box.model()))
        model->item(row)->setFlags(Qt::NoItemFlags);
}

// As wide as its names, whatever the closed box is, with room between the rows.
void openWide(QComboBox& box)
{
    const QFontMetrics metrics(box.font());
    int widest = 0;
    for (int i = 0; i < box.count(); ++i) {
        widest = std::max(widest, metrics.horizontalAdvance(box.itemText(i)));
        box.setItemData(i, QSize(0, metrics.height() * 4 / 3), Qt::SizeHintRole);
    }
    const int beside = box.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    box.view()->setMinimumWidth(widest + beside + 4 * metrics.averageCharWidth());
    box.view()->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

std::vector<const core::Metric*> inGroup(const std::vector<const core::Metric*>& metrics,
                                         MetricGroup group)
{
    std::vector<const core::Metric*> those;
    std::copy_if(metrics.begin(), metrics.end(), std::back_inserter(those),
                 [&](const core::Metric* metric) { return groupOf(*metric) == group; });
    return those;
}

}  // namespace

MetricGroup groupOf(const core::Metric& metric)
{
    const auto begins = [&](const char* with) { return metric.name.rfind(with, 0) == 0; };
    if (isQuality(metric))
        return MetricGroup::Quality;
    if (begins("compile") || begins("break_even"))
        return MetricGroup::Compiling;
    if (begins("share_") || metric.name == "launches")
        return MetricGroup::WorkShares;
    if (metric.unit == core::MetricUnit::Joules || metric.name == "million_cost")
        return MetricGroup::Cost;
    return metric.unit == core::MetricUnit::Bytes ? MetricGroup::Memory : MetricGroup::Speed;
}

void prepareMetricList(QComboBox& box)
{
    auto* style = new ScrollingList;
    style->setParent(&box);
    box.setStyle(style);
    box.setMaxVisibleItems(kMostSeen);
}

void fillMetricList(QComboBox& box, const std::vector<const core::Metric*>& metrics,
                    const QVariant& wanted, const core::Analysis& analysis)
{
    box.clear();
    int groups = 0;
    for (const MetricGroup group : kGroups)
        groups += inGroup(metrics, group).empty() ? 0 : 1;
    int first = -1;
    for (const MetricGroup group : kGroups) {
        const auto those = inGroup(metrics, group);
        if (!those.empty() && groups > 1)
            addHeading(box, titleOf(group));
        for (const core::Metric* metric : those) {
            box.addItem(metricTitle(*metric, analysis), QString::fromStdString(metric->name));
            box.setItemData(box.count() - 1, plainTip(metricAbout(*metric)), Qt::ToolTipRole);
            // The one that one usually looks at, in whatever group it is.
            if (metric == metrics.front())
                first = box.count() - 1;
        }
    }
    openWide(box);
    const int place = wanted.isValid() ? box.findData(wanted) : -1;
    box.setCurrentIndex(place >= 0 ? place : first);
}

bool hasMetrics(const QComboBox& box, const std::vector<const core::Metric*>& metrics,
                const core::Analysis& analysis)
{
    int entries = 0;
    for (int i = 0; i < box.count(); ++i)
        entries += box.itemData(i).isValid() ? 1 : 0;
    return entries == static_cast<int>(metrics.size()) &&
           std::all_of(metrics.begin(), metrics.end(), [&](const core::Metric* metric) {
               const int place = box.findData(QString::fromStdString(metric->name));
               return place >= 0 && box.itemText(place) == metricTitle(*metric, analysis);
           });
}

}  // namespace qs::widgets
