#include "widgets/table/cell_table.h"

#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/other_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/column_chooser.h"
#include "widgets/table/severity_delegate.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <cmath>

namespace qs::tst_cell_table {

using namespace widgets;
using Model = CellTableModel;
using tests::sampleRun;

namespace {

struct Shown {
    RunStore store;
    CellTable table{store};
    QTableView& view = *table.findChild<QTableView*>();
    QAbstractItemModel& rows = *view.model();

    explicit Shown(qs::core::RunData data = sampleRun({.withFailures = true}))
    {
        store.setRun(std::move(data));
        table.resize(1100, 560);
        table.show();
    }
    [[nodiscard]] QString idAt(int row) const
    {
        return rows.index(row, 0).data(Model::CellIdRole).toString();
    }
    [[nodiscard]] int rowOf(const char* id) const
    {
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (idAt(row) == QString::fromLatin1(id))
                return row;
        }
        return -1;
    }
    void click(int row) const
    {
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(rows.index(row, columnOf("precision"))).center());
    }
};

}  // namespace

class CellTableTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }
    void clickSelectsInTheStore();
    void storeSelectsInTheTable();
    void missingValuesAreLastInBothOrders();
    void filterWords();
    void filterDoesNotMoveTheSelection();
    void liveRowsKeepSelectionAndOrder();
    void columnsComeWithTheirFirstValue();
    void longModesLeaveRoomForNumbers();
    void columnsGrowWithWhatComes_data();
    void columnsGrowWithWhatComes();
    void copies();
    void copiesWhatIsSeen();
    void copiesAsLatexFromTheMenu();
    void keysReachTheFilter();
    void columnsAreChosen();
    void theBestIsOnTop();
    void fewColumnsAtFirstSight();
    void namesStayInSight();
    void columnChooserStaysOpenAndSearches();
    void narrowTablesAreShort();
    void whatIsNeededFitsBesideOtherRuns();
    void commonValuesAreSaidOnce();
    void baselineFromTheMenu();
    void manyRows();
    void columnStateComesBack();
    void severityHasContrast();
    void whatRanInAnotherPrecisionIsRed();
    void verdictsAreBadges();
    void numbersKeepAwayFromTheNextColumn();
    void fittedColumnsCutNothing();
    void pictures();

private:
    static void tick(const CellTable& table, const char* column);
};

void CellTableTest::init()
{
    qs::tests::failOnQtWarnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setPalette(qs::tests::lightPalette());
}

void CellTableTest::clickSelectsInTheStore()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.click(3);
    QCOMPARE(shown.store.selectedCell(), shown.idAt(3));
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QCOMPARE(shown.store.selectedCell(), shown.idAt(4));
}

void CellTableTest::storeSelectsInTheTable()
{
    Shown shown;
    QSignalSpy selections(&shown.store, &RunStore::selectionChanged);
    shown.store.selectCell(QStringLiteral("int8dq-none-b4"));
    QCOMPARE(shown.view.currentIndex().row(), shown.rowOf("int8dq-none-b4"));
    QVERIFY(shown.view.selectionModel()->isRowSelected(shown.rowOf("int8dq-none-b4")));
    QCOMPARE(selections.count(), 1);  // no echo
    shown.store.selectCell(QString());
    QVERIFY(!shown.view.currentIndex().isValid());
    QVERIFY(!shown.view.selectionModel()->hasSelection());
}

void CellTableTest::missingValuesAreLastInBothOrders()
{
    Shown shown;
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        shown.view.sortByColumn(columnOf("throughput"), order);
        bool missing = false;
        double before = order == Qt::AscendingOrder ? 0.0 : HUGE_VAL;
        for (int row = 0; row < shown.rows.rowCount(); ++row) {
            const QVariant value =
                shown.rows.index(row, columnOf("throughput")).data(Model::SortRole);
            QVERIFY(!(missing && value.isValid()));
            missing = !value.isValid();
            if (missing)
                continue;
            QVERIFY(order == Qt::AscendingOrder ? value.toDouble() >= before
                                                : value.toDouble() <= before);
            before = value.toDouble();
        }
        QVERIFY(missing);
    }
}

void CellTableTest::filterWords()
{
    Shown shown;
    const auto count = [&](const char* filter) {
        shown.table.setFilter(QString::fromLatin1(filter));
        return shown.rows.rowCount();
    };
    const int all = count("");
    QCOMPARE(all, 24);
    QCOMPARE(count("OOM"), 2);
    QCOMPARE(count("int8dq oom"), 1);
    QCOMPARE(count("int8dq -oom -timeout"), 6);
    QCOMPARE(count("nothing-like-this"), 0);
    QCOMPARE(count("-"), all);
    QCOMPARE(count("oom"), 2);
    QCOMPARE(shown.table.findChild<QLabel*>(QStringLiteral("cellCount"))->text(),
             QStringLiteral("Cells: 2 of 24"));
}

void CellTableTest::filterDoesNotMoveTheSelection()
{
    Shown shown;
    shown.store.selectCell(QStringLiteral("bf16-none-b4"));
    QTest::keyClicks(shown.table.findChild<QLineEdit*>(QStringLiteral("cellFilter")),
                     QStringLiteral("int8dq"));
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b4"));
    QVERIFY(!shown.view.currentIndex().isValid());
    shown.table.setFilter(QString());
    QCOMPARE(shown.view.currentIndex().row(), shown.rowOf("bf16-none-b4"));
}

void CellTableTest::liveRowsKeepSelectionAndOrder()
{
    qs::core::RunData data = sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    Shown shown(std::move(data));
    const QAbstractItemModelTester tester(&shown.rows,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    shown.view.sortByColumn(columnOf("throughput"), Qt::DescendingOrder);
    shown.store.selectCell(QStringLiteral("int8dq-none-b4"));
    for (const auto& row : rows) {
        shown.store.addMeasurement(row);
        QCoreApplication::processEvents();
    }
    // The last of them may still be waiting for an analysis.
    QTRY_COMPARE(shown.idAt(0), QStringLiteral("int8dq-cuda-graph-b16"));
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("int8dq-none-b4"));
    QTRY_COMPARE(shown.view.currentIndex().row(), shown.rowOf("int8dq-none-b4"));
}

// A table that was opened before the first row shows what the run has when it goes on.
void CellTableTest::columnsComeWithTheirFirstValue()
{
    qs::core::RunData data = sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    Shown shown(std::move(data));
    const int memory = columnOf("allocated_peak");
    const int verdict = columnOf("verdict");
    QVERIFY(shown.view.isColumnHidden(memory));
    for (const auto& row : rows)
        shown.store.addMeasurement(row);
    QTRY_VERIFY(!shown.view.isColumnHidden(memory));
    QTRY_VERIFY(shown.view.columnWidth(memory) >=
                shown.view.sizeHintForIndex(shown.rows.index(0, memory)).width());
    // What one has chosen stays as it is.
    QVERIFY(!shown.view.isColumnHidden(verdict));
}

// As on a small screen: what is asked of a table at first sight is in view, and a wider one shows
// the whole names again.
void CellTableTest::longModesLeaveRoomForNumbers()
{
    qs::core::RunData data = sampleRun();
    for (qs::core::PlannedCell& cell : data.plan.cells) {
        if (cell.config.compile == "cuda-graph")
            cell.config.compile = "inductor-max-autotune-no-cudagraphs";
    }
    Shown shown(std::move(data));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    const auto endOf = [&](const char* id) {
        const int column = columnOf(id);
        return shown.view.columnViewportPosition(column) + shown.view.columnWidth(column);
    };
    const auto isWhole = [&] {
        return shown.view.columnWidth(columnOf("compile")) >=
               shown.view.fontMetrics().horizontalAdvance(
                   QStringLiteral("inductor-max-autotune-no-cudagraphs"));
    };
    for (const int width : {440, 1100, 440}) {
        shown.table.resize(width, 560);
        if (width > 1000) {
            QTRY_VERIFY(isWhole());
            continue;
        }
        for (const char* id :
             {"precision", "compile", "batch", "throughput", "speedup", "ssim_mean"}) {
            QVERIFY2(!shown.view.isColumnHidden(columnOf(id)), id);
            QTRY_VERIFY2(endOf(id) <= shown.view.viewport()->width(), id);
        }
    }
}

void CellTableTest::columnsGrowWithWhatComes_data()
{
    QTest::addColumn<int>("width");
    QTest::newRow("words") << 1100;
    QTest::newRow("short") << 460;
}

// A verdict and a quality come after the first numbers, and are longer than the strokes before.
void CellTableTest::columnsGrowWithWhatComes()
{
    QFETCH(const int, width);
    const qs::core::RunData whole = sampleRun();
    Shown later(whole);
    later.table.resize(width, 560);
    qs::core::RunData data = whole;
    data.qualities.clear();
    std::erase_if(data.measurements, [](const auto& row) { return row.round > 0; });
    Shown shown(std::move(data));
    shown.table.resize(width, 560);
    QTRY_VERIFY(!shown.view.isColumnHidden(columnOf("throughput")));
    for (const auto& row : whole.measurements) {
        if (row.round > 0)
            shown.store.addMeasurement(row);
    }
    for (const auto& quality : whole.qualities)
        shown.store.addQuality(quality);
    const auto isAsWide = [&](int column) {
        return shown.view.isColumnHidden(column) ||
               shown.view.columnWidth(column) >= later.view.columnWidth(column);
    };
    for (const char* id : {"throughput", "speedup", "ssim_mean"})
        QTRY_VERIFY2(!shown.view.isColumnHidden(columnOf(id)) && isAsWide(columnOf(id)), id);
}

void CellTableTest::copies()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.view.setColumnHidden(columnOf("precision"), true);
    shown.click(0);
    shown.view.selectRow(0);
    QTRY_VERIFY(shown.view.hasFocus());
    QTest::keySequence(&shown.view, QKeySequence::Copy);
    const QString tsv = QApplication::clipboard()->text();
    QCOMPARE(tsv.count(QLatin1Char('\n')), 2);
    QVERIFY(tsv.startsWith(QStringLiteral("Compile\t")));
    QVERIFY(!tsv.contains(QStringLiteral("Precision")));  // hidden columns are not copied
    shown.view.findChild<QAction*>(QStringLiteral("copyCsv"))->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Compile,")));
    shown.view.findChild<QAction*>(QStringLiteral("copyMarkdown"))->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("| Compile |")));
}

void CellTableTest::copiesWhatIsSeen()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    // Only two columns, the second one moved to the left.
    for (int column = 0; column < static_cast<int>(cellColumns().size()); ++column)
        shown.view.setColumnHidden(column,
                                   column != columnOf("batch") && column != columnOf("precision"));
    QHeaderView* header = shown.view.horizontalHeader();
    header->moveSection(header->visualIndex(columnOf("batch")), 0);
    shown.table.setFilter(QStringLiteral("int8dq cuda-graph"));
    shown.view.sortByColumn(columnOf("batch"), Qt::DescendingOrder);
    shown.view.clearSelection();
    shown.view.findChild<QAction*>(QStringLiteral("copyCsv"))->trigger();
    // Nothing is selected: everything is.
    const QString all =
        QStringLiteral("Batch,Precision\n64,int8dq\n16,int8dq\n4,int8dq\n1,int8dq\n");
    QCOMPARE(QApplication::clipboard()->text(), all);
    shown.view.selectRow(1);
    shown.view.findChild<QAction*>(QStringLiteral("copyCsv"))->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Batch,Precision\n16,int8dq\n"));
    shown.view.findChild<QAction*>(QStringLiteral("copyAllCsv"))->trigger();
    QCOMPARE(QApplication::clipboard()->text(), all);
    shown.view.findChild<QAction*>(QStringLiteral("copyAllMarkdown"))->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(
        QStringLiteral("| Batch | Precision |\n| ---: | --- |\n| 64 | int8dq |\n")));
    const auto* button = shown.table.findChild<QPushButton*>(QStringLiteral("cellCopy"));
    QCOMPARE(button->menu()->actions().size(), 7);
}

// With the mouse alone: a row, the button, its menu; then with nothing selected.
void CellTableTest::copiesAsLatexFromTheMenu()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    for (int column = 0; column < static_cast<int>(cellColumns().size()); ++column)
        shown.view.setColumnHidden(column,
                                   column != columnOf("batch") && column != columnOf("precision"));
    shown.table.setFilter(QStringLiteral("int8dq cuda-graph"));
    shown.view.sortByColumn(columnOf("batch"), Qt::DescendingOrder);
    auto* button = shown.table.findChild<QPushButton*>(QStringLiteral("cellCopy"));
    const auto copy = [&] {
        // The menu keeps the event loop until something in it is chosen.
        QTimer::singleShot(0, button->menu(), [menu = button->menu(), &shown] {
            auto* action = shown.view.findChild<QAction*>(QStringLiteral("copyLatex"));
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        });
        QTest::mouseClick(button, Qt::LeftButton);
        return QApplication::clipboard()->text().split(QLatin1Char('\n'));
    };
    const QStringList head = {QStringLiteral("\\begin{tabular}{lr}"), QStringLiteral("\\toprule"),
                              QStringLiteral("Precision & Batch \\\\"),
                              QStringLiteral("\\midrule")};
    const QStringList end = {QStringLiteral("\\bottomrule"), QStringLiteral("\\end{tabular}"),
                             QString()};
    shown.click(1);
    QCOMPARE(copy().mid(1), head + QStringList{QStringLiteral("int8dq & 16 \\\\")} + end);
    shown.view.clearSelection();
    const QStringList all = {QStringLiteral("int8dq & 64 \\\\"), QStringLiteral("int8dq & 16 \\\\"),
                             QStringLiteral("int8dq & 4 \\\\"), QStringLiteral("int8dq & 1 \\\\")};
    QCOMPARE(copy().mid(1), head + all + end);
}

void CellTableTest::keysReachTheFilter()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.click(0);
    QTRY_VERIFY(shown.view.hasFocus());
    auto* filter = shown.table.findChild<QLineEdit*>(QStringLiteral("cellFilter"));
    QTest::keySequence(&shown.view, QKeySequence::Find);
    QTRY_VERIFY(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("INT8"));
    QVERIFY(shown.rows.rowCount() < static_cast<int>(shown.store.data().plan.cells.size()));
    QTest::keyClick(filter, Qt::Key_Down);
    QTRY_VERIFY(shown.view.hasFocus());
    QVERIFY(shown.store.selectedCell().startsWith(QStringLiteral("int8dq")));
    QTest::mouseClick(filter, Qt::LeftButton);
    QTRY_VERIFY(filter->hasFocus());
    QTest::keyClick(filter, Qt::Key_Escape);
    QVERIFY(filter->text().isEmpty());
    QCOMPARE(shown.rows.rowCount(), static_cast<int>(shown.store.data().plan.cells.size()));
}

void CellTableTest::baselineFromTheMenu()
{
    Shown shown;
    auto* action = shown.view.findChild<QAction*>(QStringLiteral("useAsBaseline"));
    action->trigger();  // nothing is selected
    QCOMPARE(shown.store.baseline(), QStringLiteral("best-bf16"));
    shown.store.selectCell(QStringLiteral("int8dq-none-b4"));
    action->trigger();
    QCOMPARE(shown.store.baseline(), QStringLiteral("int8dq-none-b4"));
    QTRY_COMPARE(shown.rows.headerData(columnOf("speedup"), Qt::Horizontal).toString(),
                 QStringLiteral("Speed-up vs int8dq · eager · batch 4"));
    QCOMPARE(shown.rows.index(shown.rowOf("int8dq-none-b4"), columnOf("speedup")).data().toString(),
             QStringLiteral("1× (baseline)"));
}

// Many cells stay right; how long it takes is printed for people, never judged here. For the
// hundred thousand: QS_MANY_CELLS=100000.
void CellTableTest::manyRows()
{
    bool chosen = false;
    const int wanted = qEnvironmentVariableIntValue("QS_MANY_CELLS", &chosen);
    const int cells = chosen ? wanted : 20'000;
    qs::core::RunData data;
    data.plan.preset.rounds = 1;
    for (int i = 0; i < cells; ++i) {
        qs::core::PlannedCell cell;
        cell.id = "cell-" + std::to_string(i);
        cell.config.precision = {i % 2 == 0 ? "bf16" : "int8dq"};
        cell.config.batch = i;
        data.plan.cells.push_back(cell);
        qs::core::Measurement row;
        row.cellId = cell.id;
        row.config = cell.config;
        row.result.hostSeconds = {0.001 * (1 + (i * 7919) % cells)};
        data.measurements.push_back(std::move(row));
    }
    QElapsedTimer clock;
    const auto lap = [&](const char* what) {
        qInfo("%s: %lld ms", what, static_cast<long long>(clock.restart()));
    };
    clock.start();
    Shown shown(std::move(data));
    lap("open and analyse");
    QCOMPARE(shown.rows.rowCount(), cells);
    shown.view.sortByColumn(columnOf("latency"), Qt::DescendingOrder);
    lap("sort by time");
    QCOMPARE(shown.rows.index(0, columnOf("latency")).data(Model::SortRole).toDouble(),
             static_cast<double>(cells));
    shown.view.sortByColumn(columnOf("batch"), Qt::AscendingOrder);
    lap("sort by batch");
    shown.table.setFilter(QStringLiteral("int8dq"));
    lap("first filter");
    QCOMPARE(shown.rows.rowCount(), cells / 2);
    shown.table.setFilter(QStringLiteral("int8dq %1").arg(QLocale().toString(cells - 1)));
    lap("second filter");
    QVERIFY(shown.rows.rowCount() >= 1);
    QCOMPARE(shown.idAt(shown.rows.rowCount() - 1), QStringLiteral("cell-%1").arg(cells - 1));
    shown.table.setFilter(QString());
    lap("no filter");
    QVERIFY(!shown.table.grab().isNull());
    lap("paint");
    const QSignalSpy analysed(&shown.store, &RunStore::analysisChanged);
    shown.store.setBaseline(QStringLiteral("bf16-eager"));
    QTRY_COMPARE(analysed.count(), 1);
    lap("another baseline");
}

// Ticks a column in the open chooser, as a hand does: on its words.
void CellTableTest::tick(const CellTable& table, const char* column)
{
    auto* tree = table.findChild<QTreeWidget*>(QStringLiteral("columnTree"));
    for (QTreeWidgetItemIterator each(tree); *each != nullptr; ++each) {
        if ((*each)->parent() == nullptr ||
            (*each)->data(0, Qt::UserRole).toInt() != columnOf(column))
            continue;
        tree->scrollToItem(*each);
        const QRect place = tree->visualItemRect(*each);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                          QPoint(place.left() + 60, place.center().y()));
    }
}

void CellTableTest::columnsAreChosen()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QVERIFY(shown.view.isColumnHidden(columnOf("device")));
    QHeaderView* header = shown.view.horizontalHeader();
    Q_EMIT header->customContextMenuRequested(QPoint(10, 10));
    const QPointer<ColumnChooser> chooser = shown.table.findChild<ColumnChooser*>();
    QVERIFY(chooser != nullptr && chooser->isVisible());
    tick(shown.table, "status");  // stays, whatever one does
    QVERIFY(!shown.view.isColumnHidden(columnOf("status")));
    tick(shown.table, "device");
    QVERIFY(!shown.view.isColumnHidden(columnOf("device")));
    // A choice of the user outlives a new run …
    shown.store.setRun(sampleRun());
    QVERIFY(!shown.view.isColumnHidden(columnOf("device")));
    // … until the usual columns are asked for.
    QTest::mouseClick(chooser->findChild<QPushButton*>(QStringLiteral("defaultColumns")),
                      Qt::LeftButton);
    QVERIFY(shown.view.isColumnHidden(columnOf("device")));
    QTest::keyClick(chooser, Qt::Key_Escape);
    QTRY_VERIFY(chooser == nullptr);
}

void CellTableTest::theBestIsOnTop()
{
    Shown shown;
    double best = 0.0;
    for (const qs::core::CellSummary& cell : shown.store.analysis().cells)
        best = std::max(best, cell.throughput);
    QCOMPARE(shown.rows.index(0, columnOf("throughput")).data(Model::SortRole).toDouble(), best);
    // Whoever sorts sees the first row, wherever the selected one is.
    shown.table.resize(600, 160);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.store.selectCell(shown.idAt(shown.rows.rowCount() - 1));
    QTRY_VERIFY(shown.view.verticalScrollBar()->value() > 0);
    shown.view.sortByColumn(columnOf("speedup"), Qt::DescendingOrder);
    QCOMPARE(shown.view.verticalScrollBar()->value(), 0);
}

void CellTableTest::fewColumnsAtFirstSight()
{
    Shown shown(sampleRun());
    const QHeaderView* header = shown.view.horizontalHeader();
    QStringList seen;
    for (int place = 0; place < header->count(); ++place) {
        if (!header->isSectionHidden(header->logicalIndex(place)))
            seen << QString::fromUtf8(
                cellColumns()[static_cast<std::size_t>(header->logicalIndex(place))].id);
    }
    QVERIFY2(seen.size() <= 12, qPrintable(seen.join(QLatin1Char(' '))));
    QCOMPARE(seen.mid(0, 3), QStringList({QStringLiteral("precision"), QStringLiteral("compile"),
                                          QStringLiteral("batch")}));
    for (const char* wanted : {"throughput", "speedup", "verdict", "ssim_mean", "status"})
        QVERIFY2(seen.contains(QLatin1String(wanted)), wanted);
    // One size of all cells says nothing in a column.
    QVERIFY(!seen.contains(QStringLiteral("image_size")));
}

// Scrolled to the side, a number still has a name.
void CellTableTest::namesStayInSight()
{
    Shown shown;
    shown.table.resize(680, 400);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    auto* names = shown.table.findChild<QTableView*>(QStringLiteral("frozenColumns"));
    QVERIFY(names != nullptr && names->isHidden());
    QVERIFY(shown.view.horizontalScrollBar()->maximum() > 0);
    shown.view.horizontalScrollBar()->setValue(shown.view.horizontalScrollBar()->maximum());
    QTRY_VERIFY(names->isVisible());
    for (const char* name : {"precision", "compile", "batch"})
        QVERIFY2(!names->isColumnHidden(columnOf(name)), name);
    QVERIFY(names->isColumnHidden(columnOf("throughput")));
    QCOMPARE(names->x(), shown.view.frameWidth());
    // On the lines of the table, and as good to click.
    const QModelIndex row = shown.rows.index(2, columnOf("precision"));
    QCOMPARE(names->viewport()->mapTo(&shown.view, names->visualRect(row).topLeft()).y(),
             shown.view.viewport()->mapTo(&shown.view, shown.view.visualRect(row).topLeft()).y());
    qs::tests::screenshot(shown.table, QStringLiteral("table-scrolled"));
    QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, names->visualRect(row).center());
    QCOMPARE(shown.store.selectedCell(), shown.idAt(2));
    shown.view.horizontalScrollBar()->setValue(0);
    QTRY_VERIFY(!names->isVisible());
}

void CellTableTest::columnChooserStaysOpenAndSearches()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QTest::mouseClick(shown.table.findChild<QPushButton*>(QStringLiteral("cellColumns")),
                      Qt::LeftButton);
    auto* chooser = shown.table.findChild<ColumnChooser*>();
    QVERIFY(chooser != nullptr && chooser->isVisible());
    for (const char* name : {"samples", "cv"}) {
        QVERIFY(shown.view.isColumnHidden(columnOf(name)));
        tick(shown.table, name);
        QVERIFY2(!shown.view.isColumnHidden(columnOf(name)), name);
        QVERIFY(chooser->isVisible());
    }
    tick(shown.table, "cv");
    QVERIFY(shown.view.isColumnHidden(columnOf("cv")));
    // Typed, not clicked: the search has the keyboard, Down goes into the list, Space ticks.
    auto* search = chooser->findChild<QLineEdit*>(QStringLiteral("columnSearch"));
    auto* tree = chooser->findChild<QTreeWidget*>(QStringLiteral("columnTree"));
    QTest::keyClicks(search, QStringLiteral("memory reserved peak"));
    int seen = 0;
    for (QTreeWidgetItemIterator each(tree); *each != nullptr; ++each)
        seen +=
            (*each)->parent() != nullptr && !(*each)->isHidden() && !(*each)->parent()->isHidden()
                ? 1
                : 0;
    QCOMPARE(seen, 1);
    const bool before = shown.view.isColumnHidden(columnOf("reserved_peak"));
    QTest::keyClick(search, Qt::Key_Down);
    QTest::keyClick(tree, Qt::Key_Space);
    QVERIFY(shown.view.isColumnHidden(columnOf("reserved_peak")) != before);
    chooser->close();
}

// With little room it says in signs and short words what it says at length with much.
void CellTableTest::narrowTablesAreShort()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QVERIFY(!shown.table.isShort());
    const int row = shown.rowOf("int8dq-none-b4");
    const QModelIndex ratio = shown.rows.index(row, columnOf("speedup"));
    const QString full = ratio.data().toString();
    QVERIFY(full.contains(QLatin1Char('[')));
    shown.table.resize(450, 400);
    QTRY_VERIFY(shown.table.isShort());
    QVERIFY(!ratio.data().toString().contains(QLatin1Char('[')));
    QVERIFY(ratio.data().toString().startsWith(QStringLiteral("▼")) ||
            ratio.data().toString().startsWith(QStringLiteral("▲")));
    QVERIFY(ratio.data(Model::VerdictToneRole).toInt() != static_cast<int>(VerdictTone::None));
    // What is copied is not shortened.
    QCOMPARE(ratio.data(Model::FullTextRole).toString(), full);
    QVERIFY(shown.view.isColumnHidden(columnOf("verdict")));
    QVERIFY(!shown.view.isColumnHidden(columnOf("status")));
    qs::tests::screenshot(shown.table, QStringLiteral("table-narrow"));
    shown.table.resize(1100, 400);
    QTRY_VERIFY(!shown.table.isShort());
    QCOMPARE(ratio.data().toString(), full);
    QVERIFY(!shown.view.isColumnHidden(columnOf("verdict")));
}

// At first sight nothing is to the right of a narrow table: what is needed least is left out.
void CellTableTest::whatIsNeededFitsBesideOtherRuns()
{
    Shown shown(sampleRun());
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    const auto isShown = [&](const char* id) { return !shown.view.isColumnHidden(columnOf(id)); };
    const auto isScrolled = [&] { return shown.view.horizontalScrollBar()->maximum() > 0; };
    shown.store.others().lay({tests::otherRun("other", sampleRun())});
    QTRY_VERIFY(!shown.store.others().beside().empty());
    for (const int width : {470, 430, 400}) {
        shown.table.resize(width, 400);
        QTRY_VERIFY2(!isScrolled(), qPrintable(QString::number(width)));
        for (const char* id :
             {"precision", "compile", "batch", "throughput", "ssim_mean", "other_ratio"})
            QVERIFY2(isShown(id), id);
        QVERIFY(isShown("speedup") || width < 470);
    }
    QVERIFY(!isShown("allocated_peak"));
    QVERIFY(!isShown("status"));
    // Where the status says something, it stays.
    shown.store.setRun(sampleRun({.withFailures = true}));
    QTRY_VERIFY(isShown("status"));
    // With room everything comes back.
    shown.table.resize(1100, 400);
    QTRY_VERIFY(!shown.table.isShort());
    QVERIFY(isShown("allocated_peak"));
    // What a person has chosen is not left out.
    shown.table.resize(400, 400);
    QTRY_VERIFY(!isShown("allocated_peak"));
    QTest::mouseClick(shown.table.findChild<QPushButton*>(QStringLiteral("cellColumns")),
                      Qt::LeftButton);
    tick(shown.table, "allocated_peak");
    shown.table.findChild<ColumnChooser*>()->close();
    shown.table.resize(390, 400);
    QVERIFY(isShown("allocated_peak"));
}

// What all cells share is said once, not in every row.
void CellTableTest::commonValuesAreSaidOnce()
{
    qs::core::RunData data = sampleRun();
    std::erase_if(data.plan.cells, [](const auto& cell) { return cell.config.batch != 4; });
    Shown shown(std::move(data));
    QVERIFY(shown.view.isColumnHidden(columnOf("batch")));
    const auto* common = shown.table.findChild<QLabel*>(QStringLiteral("cellCommon"));
    QVERIFY2(common->text().contains(QStringLiteral("Batch: 4")), qPrintable(common->text()));
}

void CellTableTest::columnStateComesBack()
{
    QByteArray state;
    {
        Shown shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
        QVERIFY(shown.table.columnState().isEmpty());  // nobody has chosen anything
        QTest::mouseClick(shown.table.findChild<QPushButton*>(QStringLiteral("cellColumns")),
                          Qt::LeftButton);
        tick(shown.table, "device");
        shown.table.findChild<ColumnChooser*>()->close();
        shown.view.setColumnWidth(columnOf("throughput"), 222);
        state = shown.table.columnState();
    }
    Shown shown;
    QVERIFY(!shown.table.restoreColumnState(QByteArrayLiteral("nonsense")));
    QVERIFY(shown.table.restoreColumnState(state));
    QVERIFY(!shown.view.isColumnHidden(columnOf("device")));
    QCOMPARE(shown.view.columnWidth(columnOf("throughput")), 222);
    shown.store.setRun(sampleRun());
    QCOMPARE(shown.view.columnWidth(columnOf("throughput")), 222);
}

void CellTableTest::severityHasContrast()
{
    for (const QPalette& palette : {qs::tests::lightPalette(), qs::tests::darkPalette()}) {
        const int base = palette.color(QPalette::Base).lightness();
        for (const auto severity : {Severity::Warning, Severity::Error})
            QVERIFY(qAbs(severityColor(severity, palette).lightness() - base) > 80);
        QCOMPARE(severityColor(Severity::Ok, palette), palette.color(QPalette::Text));
    }
}

void CellTableTest::whatRanInAnotherPrecisionIsRed()
{
    struct Delegate : SeverityDelegate {
        using SeverityDelegate::initStyleOption;
    };
    const char* astray = "int8dq-none-b4";
    qs::core::RunData data = sampleRun();
    for (qs::core::Measurement& row : data.measurements) {
        if (row.cellId == astray)
            row.result.executed.front().products = {
                {"aten::_int_mm", qs::core::DType::Int32, 112, 111}};
    }
    const Shown shown(data);
    const auto colour = [&](const char* id, const char* column) {
        QStyleOptionViewItem option;
        option.palette = shown.view.palette();
        Delegate().initStyleOption(&option, shown.rows.index(shown.rowOf(id), columnOf(column)));
        return option.palette.color(QPalette::Text);
    };
    const QPalette palette = shown.view.palette();
    QCOMPARE(colour(astray, "executed"), severityColor(Severity::Error, palette));
    QVERIFY(colour(astray, "executed") != palette.color(QPalette::Text));
    QCOMPARE(colour("bf16-none-b4", "executed"), palette.color(QPalette::Text));
    QCOMPARE(colour(astray, "precision"), palette.color(QPalette::Text));
}

void CellTableTest::verdictsAreBadges()
{
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? qs::tests::darkPalette() : qs::tests::lightPalette());
        for (const auto tone :
             {VerdictTone::Better, VerdictTone::Worse, VerdictTone::Even, VerdictTone::Open}) {
            const BadgeColours colours = badgeColours(tone, dark);
            QVERIFY(qAbs(colours.ground.lightness() - colours.text.lightness()) > 90);
        }
        Shown shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
        const int row = shown.rowOf("int8dq-none-b4");
        const QModelIndex verdict = shown.rows.index(row, columnOf("verdict"));
        QVERIFY(!verdict.data().toString().isEmpty());
        shown.view.scrollTo(verdict);
        const auto tone = static_cast<VerdictTone>(verdict.data(Model::VerdictToneRole).toInt());
        QVERIFY(tone != VerdictTone::None);
        const QImage image = shown.view.viewport()->grab().toImage();
        const qreal ratio = shown.view.devicePixelRatioF();
        const auto colourAt = [&](const QModelIndex& index) {
            // Inside the left padding of a badge, where no letter is.
            const QRect cell = shown.view.visualRect(index);
            return image.pixelColor(
                (QPointF(cell.left() + 6, cell.center().y()) * ratio).toPoint());
        };
        QCOMPARE(colourAt(verdict), badgeColours(tone, dark).ground);
        // The baseline has none.
        QVERIFY(colourAt(shown.rows.index(shown.rowOf("bf16-cuda-graph-b4"),
                                          columnOf("verdict"))) != badgeColours(tone, dark).ground);
        qs::tests::screenshot(shown.table,
                              QStringLiteral("table-verdicts-") +
                                  (dark ? QStringLiteral("dark") : QStringLiteral("light")));
    }
    QApplication::setPalette(qs::tests::lightPalette());
}

void CellTableTest::numbersKeepAwayFromTheNextColumn()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.view.scrollTo(shown.rows.index(shown.rowOf("int8dq-none-b4"), columnOf("batch")));
    const QImage image = shown.view.viewport()->grab().toImage();
    const qreal ratio = shown.view.devicePixelRatioF();
    for (const int column : {columnOf("batch"), columnOf("throughput")}) {
        const QRect cell =
            shown.view.visualRect(shown.rows.index(shown.rowOf("int8dq-none-b4"), column));
        QVERIFY(shown.view.viewport()->rect().contains(cell));
        const QRect pixels(cell.topLeft() * ratio, cell.size() * ratio);
        const auto hasInk = [&](int x) {
            for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
                if (image.pixelColor(x, y).lightness() < 150)
                    return true;
            }
            return false;
        };
        int last = pixels.right();
        while (last > pixels.left() && !hasInk(last))
            --last;
        QVERIFY2(last > pixels.left(), "there is a number");
        QVERIFY2(pixels.right() - last >= 4.25 * ratio,
                 qPrintable(QString::number(pixels.right() - last)));
    }
}

void CellTableTest::fittedColumnsCutNothing()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    const QHeaderView& header = *shown.view.horizontalHeader();
    for (int column = 0; column < static_cast<int>(cellColumns().size()); ++column) {
        if (shown.view.isColumnHidden(column))
            continue;
        const int width = shown.view.columnWidth(column);
        if (width >= 44 * shown.view.fontMetrics().averageCharWidth())
            continue;  // long words have their tooltip
        QVERIFY(width >= header.sectionSizeHint(column));
        for (int row = 0; row < shown.rows.rowCount(); ++row) {
            const QModelIndex index = shown.rows.index(row, column);
            QVERIFY2(width >= shown.view.sizeHintForIndex(index).width(),
                     qPrintable(index.data().toString()));
        }
    }
}

void CellTableTest::pictures()
{
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? qs::tests::darkPalette() : qs::tests::lightPalette());
        const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
        Shown shown;
        shown.store.selectCell(QStringLiteral("bf16-none-b16"));
        QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
        const QImage image = qs::tests::screenshot(shown.table, QStringLiteral("table-") + theme);
        QCOMPARE(image.width(), qRound(1100 * shown.table.devicePixelRatioF()));
        shown.view.horizontalScrollBar()->setValue(shown.view.horizontalScrollBar()->maximum());
        qs::tests::screenshot(shown.table, QStringLiteral("table-right-") + theme);
        // What is there for doubters is hidden until it is asked for.
        for (int column = columnOf("sample_mean"); column < static_cast<int>(cellColumns().size());
             ++column) {
            QVERIFY(shown.view.isColumnHidden(column));
            shown.view.setColumnHidden(column, false);
        }
        shown.view.resizeColumnsToContents();
        QCoreApplication::processEvents();  // the scroll bar learns of them
        shown.view.horizontalScrollBar()->setValue(shown.view.horizontalScrollBar()->maximum());
        qs::tests::screenshot(shown.table, QStringLiteral("table-samples-") + theme);
    }
    QApplication::setPalette(qs::tests::lightPalette());
    Shown untrained(sampleRun({.trained = false}));
    QVERIFY(QTest::qWaitForWindowExposed(&untrained.table));
    untrained.view.scrollTo(untrained.rows.index(0, columnOf("reason")));
    qs::tests::screenshot(untrained.table, QStringLiteral("table-untrained"));
}

const tests::GuiTest<CellTableTest> registered(__FILE_NAME__);

}  // namespace qs::tst_cell_table

#include "tst_cell_table.moc"
