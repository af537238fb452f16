#include "core/sweep/preset.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/plan_text.h"

#include <QAction>
#include <QMenu>
#include <QMessageBox>
#include <QToolButton>

#include <algorithm>
#include <vector>

namespace qs::tst_window_follow {

using app::MainWindow;
using tests::child;
using tests::kEngineMs;
using tests::kRunMs;
using namespace std::chrono_literals;

namespace {

// The newest cell whose outputs were compared with those of another: one that was asked for, if
// there is one, else one of the noise floor.
QString newestCompared(const core::RunData& data)
{
    for (const bool asked : {true, false}) {
        for (auto each = data.qualities.rbegin(); each != data.qualities.rend(); ++each) {
            const core::PlannedCell* cell = data.plan.find(each->cellId);
            if (cell != nullptr && cell->referenceId != cell->id &&
                (cell->role == core::CellRole::Swept) == asked)
                return QString::fromStdString(cell->id);
        }
    }
    return {};
}

QAction* actionNamed(const QMenu& menu, const char* name)
{
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String(name))
            return action;
    }
    return nullptr;
}

}  // namespace

// What a person sees of a run that goes on, and of an example that is to be run here.
class TestWindowFollow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theNewestImagesComeByThemselves();
    void whoLooksAtSomethingElseIsLeftAlone();
    void whoRunsFromTheListSeesTheRun();
    void whatWaitsStandsInTheMenuOfRuns();
    void anExampleIsRunHere();
};

void TestWindowFollow::theNewestImagesComeByThemselves()
{
    tests::OpenedWindow opened(200ms, "[1, 2]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    std::vector<QString> seen;
    QString wrong;
    QObject::connect(&window.store(), &widgets::RunStore::selectionChanged, &window, [&] {
        if (!window.controller().isInView())
            return;
        seen.push_back(window.store().selectedCell());
        if (!seen.back().isEmpty() && seen.back() != newestCompared(window.store().data()))
            wrong = seen.back();
    });
    tests::click(*opened.run);
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QCOMPARE(wrong, QString());
    // Four of the six cells are compared with the other two.
    QVERIFY2(seen.size() >= 2, qPrintable(QString::number(seen.size())));
}

void TestWindowFollow::whoLooksAtSomethingElseIsLeftAlone()
{
    tests::OpenedWindow opened(200ms, "[1, 2]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    tests::click(*opened.run);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().selectedCell().isEmpty(), kRunMs);
    QVERIFY(window.controller().isRunning());
    // A reference, which nothing follows to by itself.
    const auto& cells = window.store().data().plan.cells;
    const auto reference = std::find_if(
        cells.begin(), cells.end(), [](const auto& cell) { return cell.referenceId == cell.id; });
    QVERIFY(reference != cells.end());
    const QString mine = QString::fromStdString(reference->id);
    window.store().selectCell(mine);
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QCOMPARE(window.store().selectedCell(), mine);
}

void TestWindowFollow::whoRunsFromTheListSeesTheRun()
{
    tests::OpenedWindow opened(200ms, "[1]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    auto* run = child<QAction>(window, "actionRun");
    child<QAction>(window, "actionRuns")->trigger();
    QVERIFY(child<QWidget>(window, "runsPage")->isVisible());
    run->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.controller().isRunning(), kEngineMs);
    QVERIFY(child<QWidget>(window, "curveView")->isVisible());
    // A second one waits: whoever goes on reading the list is left alone.
    child<QAction>(window, "actionRuns")->trigger();
    run->trigger();
    QVERIFY(child<QWidget>(window, "runsPage")->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    QVERIFY(child<QWidget>(window, "runsPage")->isVisible());
}

void TestWindowFollow::whatWaitsStandsInTheMenuOfRuns()
{
    tests::OpenedWindow opened(200ms, "[1, 2, 3, 4]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    tests::click(*opened.run);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty(), kRunMs);
    window.openPreset(opened.fixture.preset(tests::shortSweep()));
    QTRY_VERIFY_WITH_TIMEOUT(opened.run->isEnabled(), kEngineMs);
    child<QAction>(window, "actionPlan")->setChecked(true);
    tests::click(*opened.run);
    auto* button = child<QToolButton>(window, "runMenuButton");
    QMenu& menu = *button->menu();
    Q_EMIT menu.aboutToShow();
    QAction* running = actionNamed(menu, "runningRun");
    QAction* waiting = actionNamed(menu, "waitingRun");
    QVERIFY(running != nullptr && waiting != nullptr);
    QVERIFY(running->isEnabled() && running->isChecked());
    QVERIFY(!waiting->isEnabled());
    QVERIFY(running->text().contains(QStringLiteral("Tiny sweep")));
    QVERIFY2(waiting->text().contains(QStringLiteral("Good enough?")), qPrintable(waiting->text()));
    QVERIFY2(waiting->text().contains(widgets::cellsText(2)), qPrintable(waiting->text()));
    // Before the runs of before.
    QVERIFY(menu.actions().indexOf(waiting) < menu.actions().indexOf(actionNamed(menu, "allRuns")));
    QVERIFY(opened.stopsNow());
}

void TestWindowFollow::anExampleIsRunHere()
{
    tests::OpenedWindow opened(200ms);
    MainWindow& window = opened.window;
    window.resize(1400, 900);
    QVERIFY(opened.getsReady());
    const auto draft = [&] {
        return core::toJson(child<widgets::PlanPanel>(window, "planPanel")->preset()).dump();
    };
    const std::string before = draft();
    window.openRun(tests::exampleRun());
    auto* here = child<QPushButton>(window, "runExampleHere");
    QTRY_VERIFY_WITH_TIMEOUT(here->isVisible() && here->isEnabled(), kEngineMs);
    // What it costs is said before anybody presses anything.
    const qsizetype open = here->text().indexOf(QLatin1Char('('));
    const QString cost = here->text().mid(open + 1, here->text().indexOf(u')') - open - 1);
    QVERIFY2(open > 0 && cost.size() > 5, qPrintable(here->text()));
    tests::click(*here);
    auto* question = child<QMessageBox>(window, "runHereQuestion");
    QTRY_VERIFY(question->isVisible());
    QVERIFY(child<QPushButton>(*question, "runHereWhole")->text().contains(cost));
    QVERIFY(QTest::qWaitForWindowActive(question));
    tests::press(Qt::Key_Escape);
    QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
    QVERIFY(!window.controller().isRunning());
    QVERIFY(tests::comesBack(window));
    tests::click(*here);
    tests::click(*child<QPushButton>(window, "runHereQuick"));
    QTRY_VERIFY(window.controller().isRunning());
    // It begins in a folder of its own; the draft is as it was.
    QTRY_VERIFY_WITH_TIMEOUT(window.controller().hasBegun(), kRunMs);
    QVERIFY(window.controller().folder().string().find("example_runs") == std::string::npos);
    QCOMPARE(window.store().data().plan.preset.rounds, 1);
    QVERIFY(!here->isVisible());
    QCOMPARE(draft(), before);
    QVERIFY(opened.stopsNow());
    QCOMPARE(draft(), before);
}

const tests::GuiTest<TestWindowFollow> registered(__FILE_NAME__);

}  // namespace qs::tst_window_follow

#include "tst_window_follow.moc"
