#include "widgets/layout/view_tabs.h"

#include "widgets/layout/style_name.h"

#include <QApplication>
#include <QProxyStyle>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

// Fusion keeps 12 pixels at both sides of a name: the room of two letters that are then cut.
class TightTabs final : public QProxyStyle
{
public:
    TightTabs() : QProxyStyle(nameOfStyle(*QApplication::style())) {}

    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override
    {
        constexpr int kSpace = 16;
        const int usual = QProxyStyle::pixelMetric(metric, option, widget);
        return metric == PM_TabBarTabHSpace ? std::min(kSpace, usual) : usual;
    }
};

class FittedTabBar final : public QTabBar
{
public:
    explicit FittedTabBar(QWidget* parent) : QTabBar(parent)
    {
        auto* style = new TightTabs;
        style->setParent(this);
        setStyle(style);
    }

    // To another width of the tabs.
    void fit()
    {
        setElideMode(elideMode());  // which lays them out
    }

protected:
    QSize tabSizeHint(int index) const override
    {
        std::vector<int> widths;
        for (int tab = 0; tab < count(); ++tab)
            widths.push_back(QTabBar::tabSizeHint(tab).width());
        const QSize wanted = QTabBar::tabSizeHint(index);
        return {std::min(wanted.width(), widestTab(widths, parentWidget()->width())),
                wanted.height()};
    }
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
};

}  // namespace

int widestTab(std::vector<int> widths, int room)
{
    std::sort(widths.begin(), widths.end());
    int left = room;
    auto count = static_cast<int>(widths.size());
    for (const int width : widths) {
        if (width * count > left)
            return left / count;
        left -= width;
        --count;
    }
    return widths.empty() ? room : widths.back();
}

ViewTabs::ViewTabs(QWidget* parent) : QTabWidget(parent)
{
    setTabBar(new FittedTabBar(this));
    setDocumentMode(true);
    setElideMode(Qt::ElideRight);
}

void ViewTabs::setWantsRoom(bool wanted)
{
    if (std::exchange(m_wantsRoom, wanted) != wanted)
        Q_EMIT roomWanted(wanted);
}

void ViewTabs::resizeEvent(QResizeEvent* event)
{
    static_cast<FittedTabBar*>(tabBar())->fit();
    QTabWidget::resizeEvent(event);
}

}  // namespace qs::widgets

#include "moc_view_tabs.cpp"
