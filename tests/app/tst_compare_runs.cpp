#include "app/gui/runs/compare_runs.h"
#include "app/gui/runs/compare_runs_dialog.h"
#include "app/gui/runs/run_catalogue.h"
#include "core/analysis/measured_run.h"
#include "core/record/run_folder.h"
#include "tests/app/listed_runs.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/models/other_runs.h"
#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolBar>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

namespace qs::tst_compare_runs {

using namespace tests;
using app::MainWindow;
using widgets::CellTableModel;
using widgets::columnOf;

namespace {

constexpr int kLoadMs = 60'000;
constexpr int kFolder = 4;  // column of the list
constexpr const char* kFirst = "demo_cpu_one_thread";
constexpr const char* kSecond = "demo_cpu_one_thread_again";

// Stores the first rows of a sample run, and that it is complete if all of them are.
void storeRun(const std::filesystem::path& folder, std::size_t rows = 1000)
{
    const core::RunData data = sampleRun();
    auto stored = core::RunFolder::create(folder, data.plan, data.environments.front());
    QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().message.c_str());
    QVERIFY(stored.value()
                .addEvent({.at = "2026-11-22T10:00:00Z", .kind = core::EventKind::Started})
                .ok());
    for (std::size_t i = 0; i < std::min(rows, data.measurements.size()); ++i)
        QVERIFY(stored.value().addMeasurement(data.measurements[i]).ok());
    if (rows >= data.measurements.size())
        QVERIFY(stored.value()
                    .addEvent({.at = "2026-11-22T11:00:00Z", .kind = core::EventKind::Complete})
                    .ok());
}

QPushButton* barButton(MainWindow& window, const char* name)
{
    return child<QPushButton>(window, name);
}

QString problemOf(MainWindow& window)
{
    return child<QLabel>(window, "comparedRunsProblem")->text();
}

app::CompareRunsDialog* dialogOf(MainWindow& window)
{
    app::CompareRunsDialog* dialog = nullptr;
    static_cast<void>(QTest::qWaitFor([&] {
        dialog = window.findChild<app::CompareRunsDialog*>();
        return dialog != nullptr && dialog->isVisible() && dialog->windowHandle() != nullptr;
    }));
    return dialog;
}

QTreeWidgetItem* rowOf(QTreeWidget& list, const char* folder)
{
    QTreeWidgetItem* found = nullptr;
    static_cast<void>(QTest::qWaitFor(
        [&] {
            const auto items =
                list.findItems(QString::fromLatin1(folder), Qt::MatchExactly, kFolder);
            found = items.isEmpty() ? nullptr : items.front();
            return found != nullptr;
        },
        kLoadMs));
    return found;
}

// Ticks a run of the dialog by mouse.
void tick(QTreeWidget& list, const char* folder)
{
    QTreeWidgetItem* row = rowOf(list, folder);
    QVERIFY(row != nullptr);
    list.scrollToItem(row);
    constexpr int kBox = 10;  // pixels from the left edge of the row
    const QRect place = list.visualItemRect(row);
    clickAt(*list.viewport(),
            list.viewport()->mapTo(list.window(), QPoint(place.left() + kBox, place.center().y())));
    QCOMPARE(row->checkState(0), Qt::Checked);
}

// The point of the other run that is highest in the plot selects the cell of both.
void clickTheBestOfTheOtherRun(MainWindow& window)
{
    auto* plot = child<widgets::CurvePlot>(window, "curvePlot");
    QTRY_VERIFY(!plot->curves().otherRuns.isEmpty());
    const widgets::CurvePoint* best = nullptr;
    for (const widgets::Curve& curve : plot->curves().curves) {
        for (const widgets::CurvePoint& point : curve.points) {
            if (curve.run == 1 && (best == nullptr || point.y > best->y))
                best = &point;
        }
    }
    QVERIFY(best != nullptr);
    const auto there = widgets::overlaidCell(best->cellId);
    QVERIFY(there.has_value());
    QTRY_VERIFY(plot->positionOf(best->cellId).has_value());
    const core::MatchedCell* matched =
        window.store().others().beside().front()->findOther(there->cellId.toStdString());
    QVERIFY(matched != nullptr);
    clickAt(*plot, plot->mapTo(&window, *plot->positionOf(best->cellId)));
    QCOMPARE(window.store().selectedCell().toStdString(), matched->before->cellId);
}

bool isShown(MainWindow& window, const char* column)
{
    return !child<QTableView>(window, "cellView")->isColumnHidden(columnOf(column));
}

}  // namespace

// Further runs beside the one in view, as a person lays them there.
class TestCompareRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void byMouse();
    void byKeys();
    void chosenInTheListOfRuns();
    void whatCannotBeComparedSaysWhy();
    void aRunAloneSaysWhatToDo();
    void theNewestStandOnTop();
    void anotherRunLeavesTheComparison();
};

void TestCompareRuns::byMouse()
{
    const WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.resize(1500, 900);
    window.show();
    auto* action = child<QAction>(window, "actionCompareRuns");
    QVERIFY(!action->isEnabled());
    QVERIFY(opens(window, exampleRun(kFirst)));
    QVERIFY(action->isEnabled());
    QVERIFY(!child<QAction>(window, "actionStopComparing")->isEnabled());
    QVERIFY(!isShown(window, "other_ratio"));
    const QString selected = window.store().selectedCell();

    click(*child<QToolBar>(window, "toolBar")->widgetForAction(action));
    app::CompareRunsDialog* dialog = dialogOf(window);
    QVERIFY(dialog != nullptr);
    auto* list = child<QTreeWidget>(*dialog, "comparableRuns");
    auto* compare = child<QPushButton>(*dialog, "compareChosenRuns");
    QVERIFY(!compare->isEnabled());
    tick(*list, kSecond);
    QVERIFY(list->findItems(QString::fromLatin1(kFirst), Qt::MatchExactly, kFolder).isEmpty());
    QVERIFY(compare->isEnabled());
    click(*compare);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kLoadMs);
    QVERIFY(child<QWidget>(window, "comparedRuns")->isVisible());
    QVERIFY(isShown(window, "other_ratio"));
    // At first sight nothing is to the right of the table.
    QCOMPARE(child<QTableView>(window, "cellView")->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(window.store().selectedCell(), selected);
    QCOMPARE(problemOf(window), QString());

    // A row of the table is a cell of both.
    auto* view = child<QTableView>(window, "cellView");
    QModelIndex row = view->model()->index(0, columnOf("other_ratio"));
    // Reruns for the noise floor are compared with nothing.
    while (row.isValid() && !row.data(CellTableModel::SortRole).isValid())
        row = row.siblingAtRow(row.row() + 1);
    QVERIFY(row.isValid());
    view->scrollTo(row);
    const QPoint middle = view->visualRect(row).center();
    clickAt(*view->viewport(), view->viewport()->mapTo(&window, middle));
    const std::string cell = window.store().selectedCell().toStdString();
    QCOMPARE(row.data(CellTableModel::CellIdRole).toString().toStdString(), cell);
    const core::MatchedCell* matched = window.store().others().beside().front()->find(cell);
    QVERIFY(matched != nullptr && matched->speed.has_value());
    QCOMPARE(row.data(CellTableModel::SortRole).toDouble(), matched->speed->evidence.ratio.value);

    clickTheBestOfTheOtherRun(window);
    const QString clicked = window.store().selectedCell();

    click(*barButton(window, "stopComparing"));
    QVERIFY(window.store().others().laid().empty());
    QVERIFY(!isShown(window, "other_throughput") && !isShown(window, "other_ratio"));
    QVERIFY(!child<QWidget>(window, "comparedRuns")->isVisible());
    QCOMPARE(window.store().selectedCell(), clicked);
}

void TestCompareRuns::byKeys()
{
    const WindowFixture fixture;
    storeRun(fixture / "runs" / "one");
    storeRun(fixture / "runs" / "two");
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(opens(window, fixture / "runs" / "two"));
    QVERIFY(opens(window, fixture / "runs" / "one"));
    press(Qt::Key_D, Qt::ControlModifier);
    app::CompareRunsDialog* dialog = dialogOf(window);
    QVERIFY(dialog != nullptr);
    QTRY_COMPARE(focusName(), QStringLiteral("comparableRuns"));
    auto* list = child<QTreeWidget>(*dialog, "comparableRuns");
    QVERIFY(rowOf(*list, "two") != nullptr);
    // The run that was open last is at the top.
    QCOMPARE(list->currentItem(), rowOf(*list, "two"));
    press(Qt::Key_Space);
    QCOMPARE(list->currentItem()->checkState(0), Qt::Checked);
    press(Qt::Key_Space);
    QCOMPARE(list->currentItem()->checkState(0), Qt::Unchecked);
    press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kLoadMs);
    QCOMPARE(window.store().others().laid().front()->name, QStringLiteral("two"));
    QVERIFY(comesBack(window));
    press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window.store().others().laid().empty());
    // Whoever thinks better of it changes nothing.
    press(Qt::Key_D, Qt::ControlModifier);
    QVERIFY(dialogOf(window) != nullptr);
    QTRY_COMPARE(focusName(), QStringLiteral("comparableRuns"));
    press(Qt::Key_Escape);
    QVERIFY(window.store().others().laid().empty());
    QVERIFY(comesBack(window));
}

void TestCompareRuns::chosenInTheListOfRuns()
{
    const WindowFixture fixture;
    for (const char* name : {"20260101-one", "20260102-two", "20260103-three"})
        storeRun(fixture / "runs" / name);
    MainWindow window(fixture.withoutEngine());
    window.resize(1400, 860);
    window.show();
    child<QAction>(window, "actionRuns")->trigger();
    auto* list = child<QTreeView>(window, "runsList");
    QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount() > 2, kLoadMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    const auto clickRun = [&](const char* name, Qt::KeyboardModifiers modifiers) {
        const QModelIndexList found = list->model()->match(
            list->model()->index(0, 0), app::RunCatalogue::FolderRole,
            QString::fromStdString((fixture / "runs" / name).string()), 1, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        list->scrollTo(found.front());
        const QPoint middle = list->visualRect(found.front()).center();
        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, modifiers,
                          list->viewport()->mapTo(&window, middle));
    };
    auto* compare = barButton(window, "compareSelectedRuns");
    QVERIFY(!compare->isEnabled());
    // Nothing is in view: the first of them is opened, the others lie beside it.
    clickRun("20260103-three", Qt::NoModifier);
    clickRun("20260102-two", Qt::ControlModifier);
    clickRun("20260101-one", Qt::ControlModifier);
    click(*compare);
    QTRY_COMPARE_WITH_TIMEOUT(window.store().others().beside().size(), std::size_t{2}, kLoadMs);
    QVERIFY(window.store().data().folder.filename() == "20260103-three");
    QCOMPARE(window.store().others().laid()[0]->name, QStringLiteral("20260102-two"));
    QCOMPARE(window.store().others().laid()[1]->name, QStringLiteral("20260101-one"));
    QVERIFY(isShown(window, "other_ratio_2") && !isShown(window, "other_ratio_3"));
    QVERIFY(child<QWidget>(window, "curveView")->isVisible());
    // One alone lies beside the run in view.
    child<QAction>(window, "actionRuns")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    clickRun("20260101-one", Qt::NoModifier);
    click(*compare);
    QTRY_COMPARE_WITH_TIMEOUT(window.store().others().beside().size(), std::size_t{1}, kLoadMs);
    QVERIFY(window.store().data().folder.filename() == "20260103-three");
    QCOMPARE(window.store().others().laid().front()->name, QStringLiteral("20260101-one"));
}

void TestCompareRuns::whatCannotBeComparedSaysWhy()
{
    const WindowFixture fixture;
    storeRun(fixture / "runs" / "one");
    storeRun(fixture / "runs" / "two");
    storeRun(fixture / "elsewhere" / "damaged");
    writeFile(fixture / "elsewhere" / "damaged" / "plan.json", "{");
    storeRun(fixture / "elsewhere" / "going-on", 4);
    storeRun(fixture / "elsewhere" / "torn");
    std::string journal = readFile(fixture / "elsewhere" / "torn" / "journal.jsonl");
    journal[journal.size() / 2] ^= 0x20;
    writeFile(fixture / "elsewhere" / "torn" / "journal.jsonl", journal);
    std::filesystem::create_directories(fixture / "elsewhere" / "foreign");
    writeFile(fixture / "elsewhere" / "foreign" / "plan.json", "[1, 2, 3]");
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(opens(window, fixture / "runs" / "one"));
    QSignalSpy boxes(&window, &MainWindow::problemShown);
    const auto choose = [&](const std::filesystem::path& folder) {
        child<QAction>(window, "actionCompareRuns")->trigger();
        app::CompareRunsDialog* dialog = dialogOf(window);
        auto* list = child<QTreeWidget>(*dialog, "comparableRuns");
        for (int i = 0; i < list->topLevelItemCount(); ++i)
            list->topLevelItem(i)->setCheckState(0, Qt::Unchecked);
        click(*child<QPushButton>(*dialog, "compareOtherFolder"));
        QFileDialog* files = nullptr;
        QVERIFY(QTest::qWaitFor([&] {
            files = dialog->findChild<QFileDialog*>();
            return files != nullptr && files->isVisible();
        }));
        acceptDialog(*files, folder);
        const QString name = QString::fromStdString(folder.filename().string());
        QTRY_VERIFY(!list->findItems(name, Qt::MatchExactly, kFolder).isEmpty() &&
                    list->findItems(name, Qt::MatchExactly, kFolder).front()->checkState(0) ==
                        Qt::Checked);
        click(*child<QPushButton>(*dialog, "compareChosenRuns"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
        QTRY_VERIFY(window.findChild<app::CompareRunsDialog*>() == nullptr);
    };
    choose(fixture / "runs" / "two");
    QCOMPARE(window.store().others().beside().size(), std::size_t{1});
    const auto before = window.store().others().beside().front();
    // What cannot be read at all leaves everything as it was.
    for (const char* name : {"damaged", "foreign"}) {
        choose(fixture / "elsewhere" / name);
        QVERIFY2(problemOf(window).contains(QString::fromLatin1(name)),
                 qPrintable(problemOf(window)));
        QVERIFY(!problemOf(window).contains(QLatin1Char('\n')));
        QCOMPARE(window.store().others().beside().front(), before);
        QVERIFY(child<QWidget>(window, "comparedRunsProblem")->isVisible());
    }
    // What can be read in part is compared, and the bar says so.
    for (const char* name : {"torn", "going-on"}) {
        choose(fixture / "elsewhere" / name);
        QVERIFY2(problemOf(window).contains(QString::fromLatin1(name)),
                 qPrintable(problemOf(window)));
        QCOMPARE(window.store().others().laid().front()->name, QString::fromLatin1(name));
    }
    // Nor is the run in view beside itself.
    choose(fixture / "runs" / "one");
    QVERIFY(!problemOf(window).isEmpty());
    QCOMPARE(window.store().others().laid().front()->name, QStringLiteral("going-on"));
    QVERIFY(boxes.isEmpty());
    QVERIFY(window.store().data().folder.filename() == "one");
}

void TestCompareRuns::aRunAloneSaysWhatToDo()
{
    const WindowFixture fixture;
    const app::RunCatalogue none(fixture / "runs", fixture / "none");
    app::CompareRunsDialog dialog({}, {}, none);
    dialog.show();
    QCOMPARE(child<QTreeWidget>(dialog, "comparableRuns")->topLevelItemCount(), 0);
    QVERIFY(!child<QLabel>(dialog, "compareRunsHint")->text().isEmpty());
    QVERIFY(!child<QPushButton>(dialog, "compareChosenRuns")->isEnabled());
    QVERIFY(child<QPushButton>(dialog, "compareOtherFolder")->isEnabled());
}

// As in the list of runs; below those that are compared already.
void TestCompareRuns::theNewestStandOnTop()
{
    ListedRuns listed;
    const app::RunCatalogue& catalogue = listed.page().catalogue();
    QStringList folders;
    for (int row = 0; row < catalogue.rowCount(); ++row)
        folders << catalogue.index(row, 0).data(app::RunCatalogue::FolderRole).toString();
    std::sort(folders.begin(), folders.end());
    const auto shownOf = [&](const QStringList& checked) {
        const app::CompareRunsDialog dialog(folders, checked, catalogue);
        const auto* list = child<QTreeWidget>(dialog, "comparableRuns");
        QStringList names;
        for (int row = 0; row < list->topLevelItemCount(); ++row)
            names << list->topLevelItem(row)->text(kFolder);
        return names.join(u' ');
    };
    QCOMPARE(shownOf({}), QStringLiteral("shipped b c a"));
    QCOMPARE(shownOf({text(listed.runs() / "a")}), QStringLiteral("a shipped b c"));
    // Also where their dates are only read while the dialog is open.
    app::RunCatalogue later(listed.runs(), listed.runs().parent_path() / "examples");
    const app::CompareRunsDialog dialog(folders, {}, later);
    const auto* list = child<QTreeWidget>(dialog, "comparableRuns");
    QCOMPARE(list->topLevelItem(0)->text(kFolder), QStringLiteral("shipped"));
    later.refresh();
    const auto shown = [list] {
        QStringList names;
        for (int row = 0; row < list->topLevelItemCount(); ++row)
            names << list->topLevelItem(row)->text(kFolder);
        return names.join(u' ');
    };
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringLiteral("shipped b c a"), kReadMs);
    QCOMPARE(list->currentItem(), list->topLevelItem(0));
}

void TestCompareRuns::anotherRunLeavesTheComparison()
{
    const WindowFixture fixture;
    for (const char* name : {"one", "two", "three"})
        storeRun(fixture / "runs" / name);
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(opens(window, fixture / "runs" / "one"));
    auto* compare = window.findChild<app::CompareRuns*>();
    QVERIFY(compare != nullptr);
    compare->compareWith({QString::fromStdString((fixture / "runs" / "two").string())});
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kLoadMs);
    QVERIFY(opens(window, fixture / "runs" / "three"));
    QVERIFY(window.store().others().laid().empty());
    QVERIFY(!isShown(window, "other_throughput"));
    QVERIFY(!child<QWidget>(window, "comparedRuns")->isVisible());
    // One that is being read when another run comes into view is not laid beside that.
    compare->compareWith({QString::fromStdString((fixture / "runs" / "two").string())});
    window.openRun(fixture / "runs" / "one");
    QTRY_VERIFY_WITH_TIMEOUT(window.store().data().folder.filename() == "one", kLoadMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    QVERIFY(window.store().others().laid().empty());
}

const tests::GuiTest<TestCompareRuns> registered(__FILE_NAME__);

}  // namespace qs::tst_compare_runs

#include "tst_compare_runs.moc"
