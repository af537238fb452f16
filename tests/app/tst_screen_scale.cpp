#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plot/curve_plot.h"

#include <QAction>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include <vector>

namespace qs::tst_screen_scale {

using namespace tests;
using app::MainWindow;

namespace {

constexpr int kLoadMs = 20'000;
// A full window on a screen of these pixels.
constexpr QSize kScreenPixels(1920, 1080);

struct Control {
    QString name;
    const QWidget* widget = nullptr;
};

Control named(const MainWindow& window, const char* name)
{
    return {QString::fromLatin1(name), child<QWidget>(window, name)};
}

// What a person needs to look at a run.
std::vector<Control> mainControls(const MainWindow& window)
{
    std::vector<Control> controls;
    for (const char* name :
         {"runMenuButton", "exportButton", "answerBar", "answerAsk", "answerWhy", "showAnswer",
          "viewTabs", "curveMetric", "curveAxis", "cellTable", "cellView", "cellFilter",
          "cellColumns", "cellCopy", "tableLarge", "compareView", "large"})
        controls.push_back(named(window, name));
    const auto* bar = child<QToolBar>(window, "toolBar");
    for (const char* name : {"actionPlan", "actionCompareRuns"})
        controls.push_back(
            {QString::fromLatin1(name), bar->widgetForAction(child<QAction>(window, name))});
    const auto* tabs = child<QTabWidget>(window, "viewTabs");
    controls.push_back(
        {QStringLiteral("plot"), tabs->currentWidget()->findChild<const widgets::CurvePlot*>()});
    const auto* compare = child<widgets::CompareView>(window, "compareView");
    for (const auto role : {widgets::PaneRole::Reference, widgets::PaneRole::A})
        controls.push_back(
            {QStringLiteral("pane %1").arg(static_cast<int>(role)), &compare->panes().pane(role)});
    return controls;
}

// What is wrong with it; empty if a person sees all of it.
QString faultOf(const MainWindow& window, const Control& control)
{
    if (control.widget == nullptr)
        return QStringLiteral("is missing");
    const QWidget& part = *control.widget;
    const QRect place(part.mapTo(&window, QPoint(0, 0)), part.size());
    if (!part.isVisible())
        return QStringLiteral("is not visible");
    if (!window.rect().contains(place))
        return QStringLiteral("is outside: %1,%2 %3x%4")
            .arg(place.x())
            .arg(place.y())
            .arg(place.width())
            .arg(place.height());
    const QSize needed = part.minimumSizeHint();
    if (part.width() < needed.width() || part.height() < needed.height())
        return QStringLiteral("is cut: %1x%2 of %3x%4")
            .arg(part.width())
            .arg(part.height())
            .arg(needed.width())
            .arg(needed.height());
    // Nothing between it and the window clips it, and nothing lies over it.
    for (const QWidget* up = part.parentWidget(); up != &window; up = up->parentWidget()) {
        if (!up->rect().contains({part.mapTo(up, QPoint(0, 0)), part.size()}))
            return QStringLiteral("is clipped by %1").arg(up->objectName());
    }
    const QWidget* seen = window.childAt(place.center());
    if (seen != &part && !part.isAncestorOf(seen))
        return QStringLiteral("is covered");
    return {};
}

// A window of the program beside the main one; null if there is none.
QWidget* otherThan(const MainWindow& window)
{
    for (QWidget* each : QApplication::topLevelWidgets()) {
        if (each != &window && each->isVisible())
            return each;
    }
    return nullptr;
}

}  // namespace

// Run three times: at the scales 1, 1.5 and 2, which leave less and less room on the same screen.
class TestScreenScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    static void everyMainControlIsSeen()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        const double scale =
            qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble();
        QCOMPARE(window.devicePixelRatioF(), scale);
        const QSize size = kScreenPixels / scale;
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(opensExample(window));
        QCOMPARE(window.size(), size);
        QString faults;
        for (const Control& control : mainControls(window)) {
            if (const QString fault = faultOf(window, control); !fault.isEmpty())
                faults += QStringLiteral("%1 %2\n").arg(control.name, fault);
        }
        screenshot(window, QStringLiteral("screen_scale_%1").arg(size.width()));
        // Buttons of the header that do not fit would be behind this one.
        const auto* bar = child<QToolBar>(window, "toolBar");
        if (child<QToolButton>(*bar, "qt_toolbar_ext_button")->isVisible())
            faults += QStringLiteral("the header does not show all of its buttons\n");
        const QTabBar& tabs = *child<QTabWidget>(window, "viewTabs")->tabBar();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            if (tabs.tabRect(tab).width() <=
                tabs.fontMetrics().horizontalAdvance(tabs.tabText(tab)))
                faults += QStringLiteral("the name of tab %1 is cut\n").arg(tab);
        }
        // At first sight the table has nothing to its right.
        if (child<QTableView>(window, "cellView")->horizontalScrollBar()->maximum() > 0)
            faults += QStringLiteral("the table is cut\n");
        QVERIFY2(faults.isEmpty(), qPrintable(faults));
        QVERIFY(child<widgets::CompareView>(window, "compareView")->width() * 2 >= size.width());
    }

    // With what a window manager puts around it.
    static void everyDialogFitsTheScreen()
    {
        constexpr int kFrame = 40;
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        const QSize screen = kScreenPixels / window.devicePixelRatioF();
        window.resize(screen);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(opensExample(window));
        QString faults;
        for (const char* action :
             {"actionCaches", "actionExportFigure", "actionMeasured", "actionEnvironments",
              "actionCompareRuns", "actionPalette", "actionAbout", "actionHelp"}) {
            QVERIFY2(child<QAction>(window, action)->isEnabled(), action);
            child<QAction>(window, action)->trigger();
            QWidget* opened = nullptr;
            QTRY_VERIFY2((opened = otherThan(window)) != nullptr, action);
            QCoreApplication::processEvents();
            if (opened->width() > screen.width() || opened->height() > screen.height() - kFrame)
                faults += QStringLiteral("%1: %2x%3\n")
                              .arg(QLatin1String(action))
                              .arg(opened->width())
                              .arg(opened->height());
            opened->close();
            QTRY_VERIFY2(otherThan(window) == nullptr, action);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults));
    }

    // Curves and points have more room than their names: on the screen of above, and on a small
    // one.
    static void plotsGetTheirSpace()
    {
        const WindowFixture fixture;
        MainWindow window(fixture.withoutEngine());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(opensExample(window));
        const auto* tabs = child<QTabWidget>(window, "viewTabs");
        for (const QSize size : {kScreenPixels / window.devicePixelRatioF(), QSize(1366, 730)}) {
            window.resize(size);
            for (const char* view : {"actionCurves", "actionPareto"}) {
                child<QAction>(window, view)->trigger();
                QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
                const auto* plot = tabs->currentWidget()->findChild<const widgets::CurvePlot*>();
                QTRY_VERIFY2(axesPlace(*plot).height() * 2 > plot->height(),
                             qPrintable(QStringLiteral("%1 at %2x%3: %4 of %5")
                                            .arg(QLatin1String(view))
                                            .arg(size.width())
                                            .arg(size.height())
                                            .arg(axesPlace(*plot).height())
                                            .arg(plot->height())));
                constexpr int kRoomForNames = 220;
                QTRY_VERIFY(plot->height() < kRoomForNames ||
                            plot->look().legend != widgets::LegendPlace::None);
            }
        }
    }
};

const tests::GuiTest<TestScreenScale> registered(__FILE_NAME__);

}  // namespace qs::tst_screen_scale

#include "tst_screen_scale.moc"
