#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/layout/view_tabs.h"

#include <QTabBar>
#include <QTest>

#include <algorithm>

namespace qs::tst_view_tabs {

using namespace widgets;

class TestViewTabs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theLongestGivesWay_data()
    {
        using Widths = std::vector<int>;
        QTest::addColumn<Widths>("widths");
        QTest::addColumn<int>("room");
        QTest::addColumn<int>("widest");
        QTest::newRow("none") << Widths{} << 100 << 100;
        QTest::newRow("all fit") << Widths{20, 30, 40} << 100 << 40;
        QTest::newRow("one is cut") << Widths{20, 60, 20} << 90 << 50;
        QTest::newRow("two are cut alike") << Widths{70, 20, 60} << 100 << 40;
        QTest::newRow("all are cut") << Widths{50, 60, 70} << 90 << 30;
    }
    void theLongestGivesWay()
    {
        QFETCH(std::vector<int>, widths);
        QFETCH(int, room);
        QFETCH(int, widest);
        QCOMPARE(widestTab(widths, room), widest);
    }

    void allTabsAreInSight()
    {
        ViewTabs tabs;
        for (const char* name : {"Curves", "Pareto", "Time", "Layers", "Compile cost", "Runs"})
            tabs.addTab(new QWidget, QString::fromLatin1(name));
        tabs.resize(900, 100);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        const QTabBar& bar = *tabs.tabBar();
        const auto widths = [&] {
            std::vector<int> all;
            for (int tab = 0; tab < bar.count(); ++tab)
                all.push_back(bar.tabRect(tab).width());
            return all;
        };
        const std::vector<int> whole = widths();
        const int needed = bar.tabRect(bar.count() - 1).right() + 1;
        for (const int width : {needed, needed - 30, needed / 2}) {
            tabs.resize(width, 100);
            const std::vector<int> now = widths();
            const int widest = *std::max_element(now.begin(), now.end());
            QVERIFY(bar.tabRect(bar.count() - 1).right() < width);
            // Those that are cut are equally wide, and none that is shorter is cut.
            for (std::size_t tab = 0; tab < now.size(); ++tab)
                QCOMPARE(now[tab], std::min(whole[tab], widest));
        }
        tests::screenshot(tabs, QStringLiteral("tabs-narrow"));
        tabs.resize(900, 100);
        QCOMPARE(widths(), whole);
    }
};

const tests::GuiTest<TestViewTabs> registered(__FILE_NAME__);

}  // namespace qs::tst_view_tabs

#include "tst_view_tabs.moc"
