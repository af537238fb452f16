#include "core/record/run_folder.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QToolButton>

#include <algorithm>

namespace qs::tst_window_settle {

using app::MainWindow;
using tests::child;
using tests::kRunMs;
using namespace std::chrono_literals;

// Comparisons that are open get more repeats from the window.
class TestWindowSettle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void settleWhileRunningAndAfterwards();
    void whatIsSettledNeedsNoMore();
};

namespace {

core::RunData stored(MainWindow& window)
{
    return core::readRunFolder(window.controller().folder()).value();
}

}  // namespace

void TestWindowSettle::settleWhileRunningAndAfterwards()
{
    tests::OpenedWindow opened(200ms, "[1]");
    MainWindow& window = opened.window;
    auto* settle = child<QAction>(window, "actionSettle");
    auto* button = child<QToolButton>(window, "settleButton");
    QVERIFY(!settle->isEnabled());
    QVERIFY2(settle->text().contains(QStringLiteral("no run in view")), qPrintable(settle->text()));
    QVERIFY(opened.getsReady());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    // One repeat of two cells leaves their comparison open while the third is still to come.
    QTRY_VERIFY_WITH_TIMEOUT(settle->isEnabled(), kRunMs);
    QVERIFY(button->isEnabled());
    QVERIFY(!button->isHidden());
    settle->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QCOMPARE(opened.finished[0][0].toString(), QString());
    QCOMPARE(stored(window).plan.looks.size(), std::size_t{1});
    const std::size_t rows = stored(window).measurements.size();
    QVERIFY(rows > 3);

    // After its end, by the button: what is open now.
    QTRY_VERIFY(settle->isEnabled());
    const QString text = settle->text();
    QVERIFY2(text.contains(QStringLiteral("repeats, about")), qPrintable(text));
    QVERIFY2(settle->toolTip().contains(QStringLiteral("baselines")),
             qPrintable(settle->toolTip()));
    tests::screenshot(window, QStringLiteral("window-settle"));
    button->click();
    QVERIFY(window.controller().isRunning());
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    QCOMPARE(opened.finished[1][0].toString(), QString());
    const core::RunData data = stored(window);
    QCOMPARE(data.plan.looks.size(), std::size_t{2});
    QCOMPARE(data.plan.cells.size(), std::size_t{3});
    QVERIFY(data.measurements.size() > rows);
    QCOMPARE(data.measurements.size(), static_cast<std::size_t>(data.plan.plannedRows()));
}

void TestWindowSettle::whatIsSettledNeedsNoMore()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    auto* settle = child<QAction>(window, "actionSettle");
    core::RunData data = tests::sampleRun();
    window.store().setRun(data);
    QCoreApplication::processEvents();
    QTRY_VERIFY(!settle->isEnabled());
    QVERIFY2(settle->text().contains(QStringLiteral("is decided")), qPrintable(settle->text()));
    QVERIFY2(settle->toolTip().contains(QStringLiteral("Not available")),
             qPrintable(settle->toolTip()));
    // Without its last repeats it is not complete.
    std::erase_if(data.measurements, [](const core::Measurement& row) { return row.round == 2; });
    window.store().setRun(data);
    QCoreApplication::processEvents();
    QTRY_VERIFY2(settle->text().contains(QStringLiteral("not finished")),
                 qPrintable(settle->text()));
    QVERIFY(!settle->isEnabled());
}

const tests::GuiTest<TestWindowSettle> registered(__FILE_NAME__);

}  // namespace qs::tst_window_settle

#include "tst_window_settle.moc"
