#include "widgets/table/cell_table.h"

#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/table/cell_filter_proxy.h"
#include "widgets/table/severity_delegate.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace qs::widgets;
using Model = CellTableModel;
using qs::tests::sampleRun;

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
                          view.visualRect(rows.index(row, Model::Precision)).center());
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
    void copies();
    void columnsAreChosen();
    void columnStateComesBack();
    void severityHasContrast();
    void pictures();
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
        shown.view.sortByColumn(Model::Throughput, order);
        bool missing = false;
        double before = order == Qt::AscendingOrder ? 0.0 : HUGE_VAL;
        for (int row = 0; row < shown.rows.rowCount(); ++row) {
            const QVariant value = shown.rows.index(row, Model::Throughput).data(Model::SortRole);
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
    shown.view.sortByColumn(Model::Throughput, Qt::DescendingOrder);
    shown.store.selectCell(QStringLiteral("int8dq-none-b4"));
    for (const auto& row : rows) {
        shown.store.addMeasurement(row);
        QCoreApplication::processEvents();
    }
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("int8dq-none-b4"));
    QCOMPARE(shown.view.currentIndex().row(), shown.rowOf("int8dq-none-b4"));
    QCOMPARE(shown.idAt(0), QStringLiteral("int8dq-cuda-graph-b16"));
}

void CellTableTest::copies()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.view.setColumnHidden(Model::Precision, true);
    shown.click(0);
    shown.view.selectRow(0);
    shown.view.setFocus();
    QTest::keySequence(&shown.view, QKeySequence::Copy);
    const QString tsv = QApplication::clipboard()->text();
    QCOMPARE(tsv.count(QLatin1Char('\n')), 2);
    QVERIFY(tsv.startsWith(QStringLiteral("Status\t")));
    QVERIFY(!tsv.contains(QStringLiteral("Precision")));  // hidden columns are not copied
    shown.view.findChild<QAction*>(QStringLiteral("copyCsv"))->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Status,")));
    shown.view.findChild<QAction*>(QStringLiteral("copyMarkdown"))->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("| Status |")));
}

void CellTableTest::columnsAreChosen()
{
    Shown shown;
    QVERIFY(shown.view.isColumnHidden(Model::Device));
    QHeaderView* header = shown.view.horizontalHeader();
    Q_EMIT header->customContextMenuRequested(QPoint(10, 10));
    auto* menu = shown.table.findChild<QMenu*>(QStringLiteral("columnMenu"));
    QVERIFY(menu != nullptr);
    QVERIFY(!menu->actions()[Model::Status]->isEnabled());
    menu->actions()[Model::Device]->trigger();
    QVERIFY(!shown.view.isColumnHidden(Model::Device));
    // A choice of the user outlives a new run …
    shown.store.setRun(sampleRun());
    QVERIFY(!shown.view.isColumnHidden(Model::Device));
    // … until the usual columns are asked for.
    menu->actions().last()->trigger();
    QVERIFY(shown.view.isColumnHidden(Model::Device));
    menu->close();
}

void CellTableTest::columnStateComesBack()
{
    QByteArray state;
    {
        Shown shown;
        shown.view.setColumnHidden(Model::Layers, true);
        shown.view.setColumnHidden(Model::Device, false);
        QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
        shown.view.setColumnWidth(Model::Throughput, 222);
        state = shown.table.columnState();
    }
    Shown shown;
    QVERIFY(!shown.table.restoreColumnState(QByteArrayLiteral("nonsense")));
    QVERIFY(shown.table.restoreColumnState(state));
    QVERIFY(!shown.view.isColumnHidden(Model::Device));
    QCOMPARE(shown.view.columnWidth(Model::Throughput), 222);
    shown.store.setRun(sampleRun());
    QCOMPARE(shown.view.columnWidth(Model::Throughput), 222);
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
    }
    QApplication::setPalette(qs::tests::lightPalette());
    Shown untrained(sampleRun({.trained = false}));
    QVERIFY(QTest::qWaitForWindowExposed(&untrained.table));
    untrained.view.scrollTo(untrained.rows.index(0, Model::Reason));
    qs::tests::screenshot(untrained.table, QStringLiteral("table-untrained"));
}

QTEST_MAIN(CellTableTest)
#include "tst_cell_table.moc"
