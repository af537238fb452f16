#include "app/gui/runs/run_note_dialog.h"
#include "tests/app/listed_runs.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

namespace qs::tst_run_list {

using namespace app;
using namespace tests;

namespace fs = std::filesystem;

// The list of runs, as a person finds and names them there.
class TestRunList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void newestFirst();
    void searchNarrows();
    void wordsOfTagsAndNotesAreFound();
    void headingsSort();
    void enterOpens();
    void renamedWithF2();
    void theNameOfThePresetIsNoName();
    void taggedWhereItStands();
    void notedInADialog();
    void whatCannotBeKeptSaysSo();
    void damageIsSaid();
    void modelsKeepTheirWord();
    void narrowListsKeepTheNames();
    void runsOfOneNameEndWithTheirDate();
};

// Nothing is to be scrolled sideways; what has no room is in the tooltip of the name.
void TestRunList::narrowListsKeepTheNames()
{
    ListedRuns runs;
    QTreeView& list = runs.list();
    const auto isSeen = [&](RunCatalogue::Column column) {
        return !list.isColumnHidden(column) &&
               list.header()->sectionViewportPosition(column) + list.columnWidth(column) <=
                   list.viewport()->width();
    };
    runs.page().resize(450, 500);
    QTRY_VERIFY(list.isColumnHidden(RunCatalogue::Date));
    QVERIFY(!list.horizontalScrollBar()->isVisible());
    for (const auto column : {RunCatalogue::Name, RunCatalogue::Progress, RunCatalogue::SpeedUp})
        QVERIFY2(isSeen(column), qPrintable(QString::number(column)));
    const QModelIndex name = list.model()->index(0, RunCatalogue::Name);
    const QModelIndex date = name.siblingAtColumn(RunCatalogue::Date);
    QVERIFY(name.data(Qt::ToolTipRole).toString().contains(date.data().toString()));
    // A tag can be given all the same.
    runs.clickRow(QStringLiteral("b"));
    runs.chooseFromMenu(QStringLiteral("b"), "runTags");
    QVERIFY(!list.isColumnHidden(RunCatalogue::Tags));
    press(Qt::Key_Escape);
    runs.page().resize(1400, 500);
    QTRY_VERIFY(isSeen(RunCatalogue::Date));
    for (int column = 0; column < RunCatalogue::ColumnCount; ++column)
        QVERIFY(!list.isColumnHidden(column));
}

// A narrow list has no column for the date, which alone tells the runs of a sweep apart.
void TestRunList::runsOfOneNameEndWithTheirDate()
{
    const TestFolder folder;
    const std::string twice = "A sweep with a name that no narrow list has room for";
    store(folder / "runs" / "a", {.sweep = twice, .day = "2026-11-01", .rows = 3});
    store(folder / "runs" / "b", {.sweep = twice, .day = "2026-11-02", .rows = 3});
    store(folder / "runs" / "c", {.sweep = "Once", .day = "2026-11-03", .rows = 3});
    RunsPage page(folder / "runs", folder / "examples");
    page.resize(450, 300);
    page.show();
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kReadMs);
    auto& list = *child<QTreeView>(page, "runsList");
    const auto drawn = [&](int row) {
        const QModelIndex index = list.model()->index(row, RunCatalogue::Name);
        QStyleOptionViewItem option;
        option.initFrom(&list);
        option.widget = &list;
        option.rect = list.visualRect(index);
        return RunRowDelegate::nameText(option, index);
    };
    QTRY_VERIFY(list.isColumnHidden(RunCatalogue::Date));
    QCOMPARE(drawn(0), QStringLiteral("Once"));
    QVERIFY(drawn(1) != drawn(2));
    for (const int row : {1, 2}) {
        QVERIFY(drawn(row).startsWith(QStringLiteral("A s")));
        QVERIFY(list.fontMetrics().horizontalAdvance(drawn(row)) <=
                list.columnWidth(RunCatalogue::Name));
    }
    page.resize(1400, 300);
    QTRY_VERIFY(!list.isColumnHidden(RunCatalogue::Date));
    QCOMPARE(drawn(1), QString::fromStdString(twice));
}

void TestRunList::newestFirst()
{
    ListedRuns runs;
    QCOMPARE(runs.shown(), QStringLiteral("shipped b c a"));
    QVERIFY(runs.list().header()->sortIndicatorSection() == RunCatalogue::Date);
    const RunCatalogue& read = runs.page().catalogue();
    const RunSummary& part = read.run(read.rowOf(text(runs.runs() / "c")));
    QVERIFY(part.cellsMeasured > 0 && part.cellsMeasured < part.cellsPossible);
    QCOMPARE(part.best.standing, BestCell::Standing::Baseline);
    const RunSummary& whole = read.run(read.rowOf(text(runs.runs() / "a")));
    QCOMPARE(whole.best.standing, BestCell::Standing::Ratio);
    QVERIFY(*whole.best.speedup > 10.0);
    // A run that has not begun yet is as new as its folder.
    store(runs.runs() / "begun", {.rows = 0});
    runs.page().refresh();
    QTRY_COMPARE_WITH_TIMEOUT(runs.page().catalogue().rowCount(), 5, kReadMs);
    QTRY_VERIFY_WITH_TIMEOUT(!runs.page().isBusy(), kReadMs);
    const RunSummary& begun = read.run(read.rowOf(text(runs.runs() / "begun")));
    QVERIFY(!begun.started.isValid() && begun.created.isValid());
}

void TestRunList::searchNarrows()
{
    ListedRuns runs;
    auto* search = child<QLineEdit>(runs.page(), "runSearch");
    auto* hidden = child<QLabel>(runs.page(), "hiddenRuns");
    QVERIFY(!hidden->isVisible());
    click(*search);
    type(QStringLiteral("ZEB"));
    QCOMPARE(runs.shown(), QStringLiteral("a"));
    QVERIFY(hidden->isVisible());
    QVERIFY(hidden->text().contains(QLatin1Char('3')));
    // Into the rows and back, then another word.
    press(Qt::Key_Down);
    QCOMPARE(focusName(), QStringLiteral("runsList"));
    QCOMPARE(runs.current(), text(runs.runs() / "a"));
    press(Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(focusName(), QStringLiteral("runSearch"));
    type(QStringLiteral("h200 -mango"));
    QCOMPARE(runs.shown(), QStringLiteral("shipped b"));
    auto* clear = search->findChild<QToolButton*>();
    QVERIFY(clear != nullptr && clear->isVisible());
    click(*clear);
    QCOMPARE(runs.list().model()->rowCount(), 4);
    QVERIFY(!hidden->isVisible());
    type(QStringLiteral("example"));
    QCOMPARE(runs.shown(), QStringLiteral("shipped"));
    press(Qt::Key_Escape);
    type(QStringLiteral("nowhere"));
    QVERIFY(runs.shown().isEmpty());
    QVERIFY(child<QLabel>(runs.page(), "runsHint")->isVisible());
    press(Qt::Key_Escape);
    QCOMPARE(runs.list().model()->rowCount(), 4);
}

void TestRunList::wordsOfTagsAndNotesAreFound()
{
    ListedRuns runs;
    QVERIFY(core::writeRunLabel(runs.runs() / "a", {.name = "first", .tags = {"paper"}, .note = {}})
                .ok());
    QVERIFY(core::writeRunLabel(runs.runs() / "c",
                                {.name = {}, .tags = {}, .note = "door was open\nsecond line"})
                .ok());
    runs.open();
    click(*child<QLineEdit>(runs.page(), "runSearch"));
    const auto found = [&](const char* words) {
        press(Qt::Key_Escape);
        type(QString::fromLatin1(words));
        return runs.shown();
    };
    QCOMPARE(found("paper"), QStringLiteral("a"));
    QCOMPARE(found("first"), QStringLiteral("a"));
    QCOMPARE(found("zebra"), QStringLiteral("a"));  // its sweep still
    QCOMPARE(found("SECOND"), QStringLiteral("c"));
    QCOMPARE(found("350M a100"), QStringLiteral("a"));
}

void TestRunList::headingsSort()
{
    ListedRuns runs;
    QHeaderView* header = runs.list().header();
    const auto clickHeading = [&](int column) {
        const QPoint middle(header->sectionViewportPosition(column) + 10, header->height() / 2);
        clickAt(*header, header->viewport()->mapTo(&runs.page(), middle));
    };
    // Both directions; what is missing stays last, and the rest stands as it is listed.
    const auto order = [&](int column, Qt::SortOrder wanted) {
        clickHeading(column);
        if (header->sortIndicatorOrder() != wanted)
            clickHeading(column);
        return runs.shown();
    };
    QCOMPARE(order(RunCatalogue::Name, Qt::AscendingOrder), QStringLiteral("b c shipped a"));
    QCOMPARE(order(RunCatalogue::Name, Qt::DescendingOrder), QStringLiteral("a shipped c b"));
    // 16 is more than 1.6, and the baseline is as fast as itself.
    QCOMPARE(order(RunCatalogue::SpeedUp, Qt::DescendingOrder), QStringLiteral("a b shipped c"));
    QCOMPARE(order(RunCatalogue::SpeedUp, Qt::AscendingOrder), QStringLiteral("c b shipped a"));
    QCOMPARE(order(RunCatalogue::Progress, Qt::AscendingOrder).front(), QLatin1Char('c'));
    QCOMPARE(order(RunCatalogue::Device, Qt::AscendingOrder).front(), QLatin1Char('a'));
    QCOMPARE(order(RunCatalogue::Date, Qt::AscendingOrder), QStringLiteral("a c b shipped"));
    fs::remove(runs.runs() / "b" / "journal.jsonl");
    runs.page().refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!runs.page().isBusy(), kReadMs);
    for (const Qt::SortOrder each : {Qt::AscendingOrder, Qt::DescendingOrder})
        QCOMPARE(order(RunCatalogue::SpeedUp, each).back(), QLatin1Char('b'));
}

void TestRunList::enterOpens()
{
    ListedRuns runs;
    const QSignalSpy opened(&runs.page(), &RunsPage::openRequested);
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toString(), text(runs.runs() / "c"));
    click(*child<QPushButton>(runs.page(), "openSelectedRun"));
    QCOMPARE(opened.count(), 2);
    const QSignalSpy compared(&runs.page(), &RunsPage::compareRequested);
    runs.chooseFromMenu(QStringLiteral("b"), "runCompare");
    QCOMPARE(compared.count(), 1);
    QCOMPARE(compared[0][0].toStringList(), QStringList{text(runs.runs() / "b")});
}

void TestRunList::renamedWithF2()
{
    ListedRuns runs;
    const QSignalSpy labelled(&runs.page(), &RunsPage::labelled);
    const QSignalSpy opened(&runs.page(), &RunsPage::openRequested);
    // Whatever column was clicked.
    runs.clickOn(runs.index(QStringLiteral("b"), RunCatalogue::Device));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    type(QStringLiteral("Quiet night"));
    press(Qt::Key_Return);
    QTRY_COMPARE(labelled.count(), 1);
    QVERIFY(opened.isEmpty());
    QCOMPARE(runs.label("b").name, std::string("Quiet night"));
    QCOMPARE(runs.index(QStringLiteral("b"), RunCatalogue::Name).data().toString(),
             QStringLiteral("Quiet night"));
    // Whoever thinks better of it changes nothing.
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    type(QStringLiteral("no"));
    press(Qt::Key_Escape);
    QCOMPARE(runs.label("b").name, std::string("Quiet night"));
    runs.open();
    QCOMPARE(runs.index(QStringLiteral("b"), RunCatalogue::Name).data().toString(),
             QStringLiteral("Quiet night"));
    // Del removes letters in the name, not the run.
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    press(Qt::Key_Delete);
    press(Qt::Key_Return);
    QVERIFY(runs.page().findChild<QMessageBox*>() == nullptr);
    QTRY_COMPARE(runs.label("b").name, std::string());
    QCOMPARE(runs.index(QStringLiteral("b"), RunCatalogue::Name).data().toString(),
             QStringLiteral("Apple"));
}

void TestRunList::theNameOfThePresetIsNoName()
{
    ListedRuns runs;
    const QSignalSpy labelled(&runs.page(), &RunsPage::labelled);
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    press(Qt::Key_Return);
    // What is written comes in order: only the next one is.
    runs.clickRow(QStringLiteral("a"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    type(QStringLiteral("mine"));
    press(Qt::Key_Return);
    QTRY_COMPARE(labelled.count(), 1);
    QCOMPARE(labelled[0][0].toString(), text(runs.runs() / "a"));
    QVERIFY(!fs::exists(runs.runs() / "b" / "label.json"));
}

void TestRunList::taggedWhereItStands()
{
    ListedRuns runs;
    runs.chooseFromMenu(QStringLiteral("a"), "runTags");
    QTRY_COMPARE(focusName(), QStringLiteral("runTagsEditor"));
    type(QStringLiteral(" paper,quiet , paper"));
    press(Qt::Key_Return);
    const std::vector<std::string> wanted{"paper", "quiet"};
    QTRY_COMPARE(runs.label("a").tags, wanted);
    runs.open();
    const QString shown = runs.index(QStringLiteral("a"), RunCatalogue::Tags).data().toString();
    QVERIFY(shown.contains(QStringLiteral("paper")) && shown.contains(QStringLiteral("quiet")));
}

void TestRunList::notedInADialog()
{
    ListedRuns runs;
    const auto openNote = [&] {
        runs.chooseFromMenu(QStringLiteral("a"), "runNote");
        QTRY_COMPARE(focusName(), QStringLiteral("runNoteText"));
    };
    openNote();
    type(QStringLiteral("door open"));
    auto* dialog = child<RunNoteDialog>(runs.page(), "runNoteDialog");
    click(*child<QPushButton>(*dialog, "saveRunNote"));
    QTRY_COMPARE(runs.label("a").note, std::string("door open"));
    QVERIFY(comesBack(runs.page()));
    // It is read where the run is chosen.
    QCOMPARE(child<QLabel>(runs.page(), "runsHint")->text(), QStringLiteral("door open"));
    QTRY_VERIFY(runs.page().findChild<RunNoteDialog*>() == nullptr);
    openNote();
    type(QStringLiteral(" no"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(runs.page().findChild<RunNoteDialog*>() == nullptr);
    QCOMPARE(runs.label("a").note, std::string("door open"));
}

void TestRunList::whatCannotBeKeptSaysSo()
{
    ListedRuns runs;
    const QSignalSpy problems(&runs.page(), &RunsPage::problemFound);
    const std::string theirs = R"({"schema_version": 99, "name": "theirs"})";
    writeFile(runs.runs() / "b" / "label.json", theirs);
    runs.clickRow(QStringLiteral("b"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("runNameEditor"));
    type(QStringLiteral("mine"));
    press(Qt::Key_Return);
    QTRY_COMPARE(problems.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!runs.page().isBusy(), kReadMs);
    QCOMPARE(readFile(runs.runs() / "b" / "label.json"), theirs);
    QCOMPARE(runs.index(QStringLiteral("b"), RunCatalogue::Name).data().toString(),
             QStringLiteral("Apple"));
}

void TestRunList::damageIsSaid()
{
    ListedRuns runs;
    std::string journal = readFile(runs.runs() / "c" / "journal.jsonl");
    journal[journal.size() / 2] ^= 0x20;
    writeFile(runs.runs() / "c" / "journal.jsonl", journal);
    writeFile(runs.runs() / "b" / "plan.json", "{");
    runs.open();
    const RunCatalogue& read = runs.page().catalogue();
    const auto severity = [&](const char* folder) {
        return static_cast<widgets::Severity>(
            runs.index(QString::fromLatin1(folder), RunCatalogue::Progress)
                .data(RunCatalogue::SeverityRole)
                .toInt());
    };
    QVERIFY(read.run(read.rowOf(text(runs.runs() / "c"))).damaged);
    QCOMPARE(severity("a"), widgets::Severity::Ok);
    QCOMPARE(severity("c"), widgets::Severity::Warning);
    QCOMPARE(severity("b"), widgets::Severity::Error);
    runs.clickRow(QStringLiteral("c"));
    QVERIFY(child<QAction>(runs.page(), "runOpen")->isEnabled());
    QVERIFY(!child<QAction>(runs.page(), "runResume")->isEnabled());
    runs.clickRow(QStringLiteral("b"));
    QVERIFY(!child<QAction>(runs.page(), "runOpen")->isEnabled());
    QVERIFY(child<QAction>(runs.page(), "runDelete")->isEnabled());
    QVERIFY(child<QLabel>(runs.page(), "runsHint")->text().contains(QStringLiteral("plan.json")));
}

void TestRunList::modelsKeepTheirWord()
{
    const TestFolder folder;
    RunCatalogue catalogue(folder / "runs", folder / "none");
    RunFilter filter;
    filter.setSourceModel(&catalogue);
    filter.sort(RunCatalogue::Name);
    const QAbstractItemModelTester source(&catalogue);
    const QAbstractItemModelTester sorted(&filter);
    const auto read = [&](int rows) {
        catalogue.refresh();
        return QTest::qWaitFor(
            [&] { return !catalogue.isReading() && catalogue.rowCount() == rows; }, kReadMs);
    };
    QVERIFY(read(0));
    store(folder / "runs" / "a", {.rows = 3});
    store(folder / "runs" / "b", {.rows = 3});
    QVERIFY(read(2));
    filter.setWords(QStringLiteral("nothing"));
    QCOMPARE(filter.hidden(), 2);
    filter.setWords({});
    catalogue.setLabel(0, {.name = "z", .tags = {}, .note = {}});
    catalogue.setLabel(0, {.name = "y", .tags = {"t"}, .note = {}});
    // What was typed last is kept, also while the list is read anew.
    QVERIFY(read(2));
    QCOMPARE(catalogue.run(0).label.name, std::string("y"));
    QCOMPARE(core::readRunLabel(catalogue.run(0).folder).value().name, std::string("y"));
    fs::remove_all(folder / "runs" / "a");
    QVERIFY(read(1));
}

const tests::GuiTest<TestRunList> registered(__FILE_NAME__);

}  // namespace qs::tst_run_list

#include "tst_run_list.moc"
