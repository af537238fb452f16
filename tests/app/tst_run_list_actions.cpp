#include "app/gui/runs/compare_runs_dialog.h"
#include "tests/app/listed_runs.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/other_runs.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

namespace qs::tst_run_list_actions {

using namespace app;
using namespace tests;

namespace fs = std::filesystem;

namespace {

bool isEnabled(const QObject& page, const char* action)
{
    return child<QAction>(page, action)->isEnabled();
}

QMessageBox* question(const QObject& parent)
{
    auto* box = parent.findChild<QMessageBox*>(QStringLiteral("deleteRunsQuestion"));
    return box != nullptr && box->isVisible() ? box : nullptr;
}

void answer(RunsPage& page, const char* button)
{
    QMessageBox* box = nullptr;
    QTRY_VERIFY((box = question(page)) != nullptr);
    QAbstractButton* pressed =
        button == nullptr ? box->button(QMessageBox::Cancel) : child<QAbstractButton>(*box, button);
    click(*pressed);
    QTRY_VERIFY(page.findChild<QMessageBox*>() == nullptr);
    QVERIFY(comesBack(page));
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kReadMs);
}

// Clicks the row of a run in the list of the window.
void chooseRun(MainWindow& window, const fs::path& folder)
{
    child<QAction>(window, "actionRuns")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kReadMs);
    auto* list = child<QTreeView>(window, "runsList");
    const QModelIndexList found = list->model()->match(
        list->model()->index(0, 0), RunCatalogue::FolderRole, text(folder), 1, Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    list->scrollTo(found.front());
    clickAt(*list->viewport(),
            list->viewport()->mapTo(&window, list->visualRect(found.front()).center()));
}

}  // namespace

// What is done with runs of the list, and what the window makes of it.
class TestRunListActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void nothingIsDoneWithoutASelection();
    void deletedAfterAQuestion();
    void severalAreDeleted();
    void whatMayNotGoStays();
    void resumedOnTheRow();
    void theWindowUsesTheName();
    void theRunInViewCanGo();
    void aViewThatTheStartAskedForStays();
};

void TestRunListActions::nothingIsDoneWithoutASelection()
{
    constexpr const char* kButtons[] = {"openSelectedRun", "resumeRun", "repeatRun",
                                        "compareSelectedRuns", "deleteSelectedRuns"};
    ListedRuns runs;
    const auto enabled = [&] {
        int count = 0;
        for (const char* name : kButtons)
            count += child<QPushButton>(runs.page(), name)->isEnabled() ? 1 : 0;
        return count;
    };
    const auto none = [&] { return !runs.list().selectionModel()->hasSelection(); };
    // The keyboard comes to the list.
    runs.list().setFocus(Qt::TabFocusReason);
    QVERIFY(none());
    QCOMPARE(enabled(), 0);
    runs.clickRow(QStringLiteral("b"));
    QVERIFY(enabled() > 0);
    QVERIFY(isEnabled(runs.page(), "runDelete"));
    runs.clickRow(QStringLiteral("b"), Qt::ControlModifier);
    QVERIFY(none());
    QCOMPARE(enabled(), 0);
    QVERIFY(!isEnabled(runs.page(), "runRename") && !isEnabled(runs.page(), "runShowFolder"));
}

void TestRunListActions::deletedAfterAQuestion()
{
    ListedRuns runs;
    const QSignalSpy deleted(&runs.page(), &RunsPage::deleted);
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_Delete);
    QVERIFY(question(runs.page()) != nullptr);
    QVERIFY(question(runs.page())->informativeText().contains(text(runs.runs() / "b")));
    // Enter does not delete.
    QCOMPARE(question(runs.page())->defaultButton(),
             question(runs.page())->button(QMessageBox::Cancel));
    answer(runs.page(), nullptr);
    QVERIFY(fs::exists(runs.runs() / "b" / "plan.json"));
    QVERIFY(deleted.isEmpty());
    press(Qt::Key_Delete);
    answer(runs.page(), "deleteRuns");
    QVERIFY(!fs::exists(runs.runs() / "b"));
    QCOMPARE(deleted.count(), 1);
    QCOMPARE(deleted[0][0].toString(), text(runs.runs() / "b"));
    QTRY_COMPARE(runs.shown(), QStringLiteral("shipped c a"));
    QVERIFY(fs::exists(runs.runs() / "a") && fs::exists(runs.runs() / "c"));
    // The next one takes its place.
    QCOMPARE(runs.current(), text(runs.runs() / "c"));
}

void TestRunListActions::severalAreDeleted()
{
    ListedRuns runs;
    runs.clickRow(QStringLiteral("a"));
    runs.clickRow(QStringLiteral("c"), Qt::ControlModifier);
    click(*child<QPushButton>(runs.page(), "deleteSelectedRuns"));
    answer(runs.page(), "deleteRuns");
    QTRY_COMPARE(runs.shown(), QStringLiteral("shipped b"));
    QVERIFY(!fs::exists(runs.runs() / "a") && !fs::exists(runs.runs() / "c"));
    // An example among them keeps all.
    runs.clickRow(QStringLiteral("b"));
    runs.clickRow(QStringLiteral("shipped"), Qt::ControlModifier);
    QVERIFY(!isEnabled(runs.page(), "runDelete"));
}

void TestRunListActions::whatMayNotGoStays()
{
    ListedRuns runs;
    const QSignalSpy problems(&runs.page(), &RunsPage::problemFound);
    runs.clickRow(QStringLiteral("shipped"));
    for (const char* action : {"runDelete", "runRename", "runTags", "runNote"})
        QVERIFY2(!isEnabled(runs.page(), action), action);
    press(Qt::Key_Delete);
    QVERIFY(question(runs.page()) == nullptr);
    press(Qt::Key_F2);
    QCOMPARE(focusName(), QStringLiteral("runsList"));
    // That of this window goes on.
    runs.page().setRunning(runs.runs() / "c");
    runs.clickRow(QStringLiteral("c"));
    QVERIFY(!isEnabled(runs.page(), "runDelete"));
    QVERIFY(isEnabled(runs.page(), "runRename"));
    press(Qt::Key_Delete);
    QVERIFY(question(runs.page()) == nullptr);
    runs.page().setRunning({});
    QVERIFY(isEnabled(runs.page(), "runDelete"));
    // Another program writes it.
    core::RunData data;
    const auto written =
        core::RunFolder::resume(runs.runs() / "c", sampleRun().environments.front(), data);
    QVERIFY(written.ok());
    press(Qt::Key_Delete);
    answer(runs.page(), "deleteRuns");
    QCOMPARE(problems.count(), 1);
    QVERIFY(fs::exists(runs.runs() / "c" / "plan.json"));
    // Somebody keeps notes in it.
    writeFile(runs.runs() / "b" / "notes.txt", "mine");
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_Delete);
    answer(runs.page(), "deleteRuns");
    QCOMPARE(problems.count(), 2);
    QVERIFY(fs::exists(runs.runs() / "b" / "plan.json"));
    QCOMPARE(runs.list().model()->rowCount(), 4);
}

void TestRunListActions::resumedOnTheRow()
{
    ListedRuns runs;
    const QSignalSpy resumed(&runs.page(), &RunsPage::resumeRequested);
    const auto button = [&](const char* folder) {
        return resumeButton(runs.list(),
                            runs.index(QString::fromLatin1(folder), RunCatalogue::Progress));
    };
    QVERIFY(button("b").isEmpty() && button("shipped").isEmpty());
    const QRect place = button("c");
    QVERIFY(!place.isEmpty());
    clickAt(*runs.list().viewport(), runs.list().viewport()->mapTo(&runs.page(), place.center()));
    QCOMPARE(resumed.count(), 1);
    QCOMPARE(resumed[0][0].toString(), text(runs.runs() / "c"));
    // Beside the button the row is merely chosen.
    clickAt(*runs.list().viewport(),
            runs.list().viewport()->mapTo(&runs.page(), place.topLeft() - QPoint(8, -5)));
    QCOMPARE(resumed.count(), 1);
    runs.chooseFromMenu(QStringLiteral("c"), "runResume");
    QCOMPARE(resumed.count(), 2);
    runs.page().setRunning(runs.runs() / "b");
    QVERIFY(button("c").isEmpty());
    QVERIFY(!isEnabled(runs.page(), "runResume"));
}

void TestRunListActions::theWindowUsesTheName()
{
    const WindowFixture fixture;
    const fs::path folder = fixture / "runs" / "one";
    store(folder, {.sweep = "Mango"});
    store(fixture / "runs" / "two", {.sweep = "Apple"});
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(opens(window, folder));
    auto* button = child<QToolButton>(window, "runMenuButton");
    QVERIFY(button->text().contains(QStringLiteral("Mango")));
    chooseRun(window, folder);
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    type(QStringLiteral("Quiet"));
    press(Qt::Key_Return);
    QTRY_VERIFY(button->text().contains(QStringLiteral("Quiet")));
    QVERIFY(!button->text().contains(QStringLiteral("Mango")));
    QVERIFY(window.windowTitle().contains(QStringLiteral("Quiet")));
    // Among the runs that were open last, and among those to compare with.
    QVERIFY(opens(window, fixture / "runs" / "two"));
    QVERIFY(!window.windowTitle().contains(QStringLiteral("Quiet")));
    auto* menu = child<QMenu>(window, "runMenu");
    Q_EMIT menu->aboutToShow();
    const QList<QAction*> offered = menu->actions();
    QVERIFY(std::any_of(offered.begin(), offered.end(), [](const QAction* action) {
        return action->text() == QStringLiteral("Quiet");
    }));
    const auto names = [](const QList<QAction*>& actions) {
        QStringList texts;
        for (const QAction* action : actions)
            texts << action->text();
        return texts;
    };
    // One without a label by the name of its sweep, not of its folder.
    QVERIFY(names(offered).contains(QStringLiteral("Apple")));
    QCOMPARE(names(child<QMenu>(window, "recentRunsMenu")->actions()),
             (QStringList{QStringLiteral("Apple"), QStringLiteral("Quiet")}));
    press(Qt::Key_D, Qt::ControlModifier);
    CompareRunsDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = window.findChild<CompareRunsDialog*>()) != nullptr);
    auto* runs = child<QTreeWidget>(*dialog, "comparableRuns");
    QTRY_VERIFY(!runs->findItems(QStringLiteral("Quiet"), Qt::MatchExactly, 0).isEmpty());
    press(Qt::Key_Escape);
    QVERIFY(comesBack(window));
}

void TestRunListActions::theRunInViewCanGo()
{
    const WindowFixture fixture;
    for (const char* name : {"one", "two"})
        store(fixture / "runs" / name, {});
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(opens(window, fixture / "runs" / "one"));
    chooseRun(window, fixture / "runs" / "two");
    click(*child<QPushButton>(window, "compareSelectedRuns"));
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kReadMs);
    auto* page = child<RunsPage>(window, "runsPage");
    const auto remove = [&](const char* name) {
        chooseRun(window, fixture / "runs" / name);
        press(Qt::Key_Delete);
        QTRY_VERIFY(question(window) != nullptr);
        click(*child<QPushButton>(window, "deleteRuns"));
        QTRY_VERIFY(!fs::exists(fixture / "runs" / name));
        QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy() && window.isSettled(), kReadMs);
        QVERIFY(comesBack(window));
    };
    remove("two");
    QVERIFY(window.store().others().laid().empty());
    QVERIFY(!window.store().isEmpty());
    remove("one");
    QVERIFY(window.store().isEmpty());
    QVERIFY(!child<QAction>(window, "actionCompareRuns")->isEnabled());
    // Every view copes with nothing to show.
    for (const char* view : {"actionCurves", "actionPareto", "actionTime", "actionLayers",
                             "actionCompile", "actionTable"})
        child<QAction>(window, view)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kReadMs);
}

void TestRunListActions::aViewThatTheStartAskedForStays()
{
    const WindowFixture fixture;
    for (const char* name : {"one", "two"})
        store(fixture / "runs" / name, {});
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.beginWithView(QStringLiteral("runs"));
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* page = child<RunsPage>(window, "runsPage");
    QVERIFY(opens(window, fixture / "runs" / "one"));
    QVERIFY(page->isVisible());
    // Who chooses one wants to see it.
    chooseRun(window, fixture / "runs" / "two");
    press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window.store().data().folder == fixture / "runs" / "two", kReadMs);
    QTRY_VERIFY(!page->isVisible());
}

const tests::GuiTest<TestRunListActions> registered(__FILE_NAME__);

}  // namespace qs::tst_run_list_actions

#include "tst_run_list_actions.moc"
