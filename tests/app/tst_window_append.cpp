#include "core/record/run_folder.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"

#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

namespace qs::tst_window_append {

using app::MainWindow;
using tests::child;
using tests::kEngineMs;
using tests::kRunMs;
using namespace std::chrono_literals;

namespace {

core::RunData stored(MainWindow& window)
{
    return core::readRunFolder(window.controller().folder()).value();
}

}  // namespace

// A run that is given more cells from the window.
class TestWindowAppend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void appendWhileRunningAndAfterwards();
    void nothingNewIsSaidAtOnce();
    void measureACellNext();
};

void TestWindowAppend::appendWhileRunningAndAfterwards()
{
    tests::OpenedWindow opened(200ms, "[1]");
    MainWindow& window = opened.window;
    auto* append = child<QPushButton>(window, "appendButton");
    QVERIFY(!append->isEnabled());
    QVERIFY(opened.getsReady());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    const QString selected =
        QString::fromStdString(window.store().data().measurements.front().cellId);
    window.store().selectCell(selected);

    // The draft is edited while the run goes on, and joins it.
    window.openPreset(opened.fixture.preset(tests::tinyPreset("[1, 2]")));
    QTRY_VERIFY_WITH_TIMEOUT(opened.run->isEnabled(), kEngineMs);
    QVERIFY(append->isEnabled());
    append->click();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QCOMPARE(opened.finished[0][0].toString(), QString());
    QCOMPARE(stored(window).plan.cells.size(), std::size_t{6});
    QCOMPARE(stored(window).measurements.size(), std::size_t{6});
    QCOMPARE(window.store().selectedCell(), selected);
    auto* table = child<QTableView>(window, "cellView");
    QTRY_COMPARE(table->model()->rowCount(), 6);

    // The same with a run that has come to its end, by its action.
    window.openPreset(opened.fixture.preset(tests::tinyPreset("[1, 3]")));
    auto* action = child<QAction>(window, "actionAppend");
    QTRY_VERIFY_WITH_TIMEOUT(action->isEnabled(), kEngineMs);
    action->trigger();
    QVERIFY(window.controller().isRunning());
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    const core::RunData data = stored(window);
    QCOMPARE(data.plan.appended.size(), std::size_t{2});
    QCOMPARE(data.measurements.size(), std::size_t{9});
    QVERIFY(std::all_of(data.measurements.begin(), data.measurements.end(),
                        [](const core::Measurement& row) { return row.ok(); }));
    QTRY_COMPARE(table->model()->rowCount(), 9);
    tests::screenshot(window, QStringLiteral("window-appended"));
}

void TestWindowAppend::nothingNewIsSaidAtOnce()
{
    tests::OpenedWindow opened(200ms, "[1]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    const QSignalSpy problems(&window, &MainWindow::problemShown);
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty(), kRunMs);
    child<QPushButton>(window, "appendButton")->click();
    QCOMPARE(problems.count(), 1);
    QVERIFY(problems[0][0].toString().contains(QStringLiteral("already in this run")));
    child<QMessageBox>(window, "problemBox")->close();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QCOMPARE(stored(window).measurements.size(), std::size_t{3});
}

void TestWindowAppend::measureACellNext()
{
    tests::OpenedWindow opened(200ms, "[1, 2, 3]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    auto* next = child<QAction>(window, "actionBringForward");
    QVERIFY(!next->isEnabled());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    QVERIFY(!next->isEnabled());
    const core::Plan plan = window.store().data().plan;
    const std::string last = plan.cells[core::roundOrder(plan, 0).back()].id;
    window.store().selectCell(QString::fromStdString(last));
    QVERIFY(next->isEnabled());
    next->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QVERIFY(!next->isEnabled());
    const core::RunData data = stored(window);
    QCOMPARE(data.measurements.size(), std::size_t{9});
    QVERIFY(data.measurements.back().cellId != last);
    QVERIFY(std::any_of(data.events.begin(), data.events.end(), [](const core::RunEvent& event) {
        return !event.notes.empty() && event.notes.front().code == core::NoteCode::BroughtForward;
    }));
}

const tests::GuiTest<TestWindowAppend> registered(__FILE_NAME__);

}  // namespace qs::tst_window_append

#include "tst_window_append.moc"
