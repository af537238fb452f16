#include "tests/support/compiled_run.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compile/compile_cost_model.h"
#include "widgets/compile/compile_cost_view.h"
#include "widgets/compile/total_time_plot.h"
#include "widgets/plot/qcustomplot.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <algorithm>
#include <set>

namespace qs::tst_compile_cost_view {

using namespace widgets;
using core::BreakEvenResult;
using core::CompileStart;
using tests::compiledRun;
using tests::sampleCellId;
using tests::sampleRun;

namespace {

QString compiledCell(int batch)
{
    return QString::fromStdString(sampleCellId("bf16", "cuda-graph", batch));
}

struct Shown {
    RunStore store;
    CompileCostView view{store};
    QTableView& table = *view.findChild<QTableView*>();
    TotalTimePlot& plot = *view.findChild<TotalTimePlot*>();
    QComboBox& start = *view.findChild<QComboBox*>(QStringLiteral("compileStart"));
    QLabel& empty = *view.findChild<QLabel*>(QStringLiteral("compileEmpty"));

    explicit Shown(qs::core::RunData data)
    {
        data.plan.preset.speedBaseline = "bf16-eager";
        store.setRun(std::move(data));
        view.resize(760, 560);
        view.show();
    }
    [[nodiscard]] bool filled()
    {
        return QTest::qWaitForWindowExposed(&view) && QTest::qWaitFor([this] {
                   return table.model()->rowCount() > 0 && !plot.times().empty();
               });
    }
    [[nodiscard]] QString cellAt(int row) const
    {
        return table.model()->index(row, 0).data(CompileCostModel::CellIdRole).toString();
    }
    [[nodiscard]] const TotalTimeLine* line(const QString& cell) const
    {
        const auto& lines = plot.times().lines;
        const auto found = std::find_if(lines.begin(), lines.end(),
                                        [&](const auto& each) { return each.cellId == cell; });
        return found == lines.end() ? nullptr : &*found;
    }
};

}  // namespace

class TestCompileCostView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void showsTheCellsThatAreCompiled()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        // Two precisions at three batches.
        QCOMPARE(shown.table.model()->rowCount(), 6);
        QVERIFY(shown.empty.isHidden());
        qs::tests::screenshot(shown.view, QStringLiteral("compile_cost"));
        for (int row = 0; row < 6; ++row) {
            const auto seconds = [&](int column) {
                return shown.table.model()
                    ->index(row, column)
                    .data(CompileCostModel::SortRole)
                    .toDouble();
            };
            QCOMPARE(seconds(CompileCostModel::Cold), 40.0);
            QCOMPARE(seconds(CompileCostModel::Warm), 5.0);
            QCOMPARE(seconds(CompileCostModel::Start), 3.0);
            const qs::core::CellSummary& summary =
                *shown.store.analysis().find(shown.cellAt(row).toStdString());
            QCOMPARE(shown.table.model()
                         ->index(row, CompileCostModel::Passes)
                         .data(CompileCostModel::ResultRole)
                         .toInt(),
                     static_cast<int>(summary.compileCost->cold->result));
        }
    }

    // What all cells have is said once, in the heading.
    static void aBatchThatAllShareIsInTheHeading()
    {
        qs::core::RunData data = compiledRun();
        const auto other = [](const auto& each) { return each.config.batch != 16; };
        std::erase_if(data.plan.cells, other);
        std::erase_if(data.measurements, other);
        const auto heading = [](const Shown& shown) {
            return shown.table.model()
                ->headerData(CompileCostModel::Cell, Qt::Horizontal, Qt::DisplayRole)
                .toString();
        };
        const auto name = [](const Shown& shown, int row) {
            return shown.table.model()->index(row, CompileCostModel::Cell).data().toString();
        };
        Shown one(std::move(data));
        QVERIFY(one.filled());
        QVERIFY(heading(one).contains(QLatin1String("16")));
        for (int row = 0; row < one.table.model()->rowCount(); ++row) {
            const auto& analysis = one.store.analysis();
            const auto* cell = analysis.find(one.cellAt(row).toStdString());
            QCOMPARE(name(one, row), QString::fromStdString(analysis.labels.of(*cell->cell)));
        }
        Shown several(compiledRun());
        QVERIFY(several.filled());
        QVERIFY(!heading(several).contains(QLatin1String("16")));
        std::set<QString> names;
        for (int row = 0; row < several.table.model()->rowCount(); ++row)
            names.insert(name(several, row));
        QCOMPARE(names.size(), std::size_t{6});
    }

    // Names of cells may be long; the numbers are what one looks at.
    static void namesLeaveRoomForNumbers()
    {
        qs::core::RunData data = compiledRun();
        for (qs::core::PlannedCell& cell : data.plan.cells) {
            if (cell.config.compile == "cuda-graph")
                cell.config.compile = "inductor-max-autotune-no-cudagraphs";
        }
        Shown shown(std::move(data));
        QVERIFY(shown.filled());
        for (const int width : {460, 760, 420}) {
            shown.view.resize(width, 560);
            for (const int column : {CompileCostModel::Cold, CompileCostModel::Warm})
                QTRY_VERIFY(shown.table.columnViewportPosition(column) +
                                shown.table.columnWidth(column) <=
                            shown.table.viewport()->width());
        }
    }

    // Names stand below the axes, or leave where those would get flat.
    static void theLegendCoversNoLine()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        auto& canvas = *shown.plot.findChild<QCustomPlot*>();
        for (const QSize size : {QSize(760, 560), QSize(430, 420), QSize(400, 260)}) {
            shown.view.resize(size);
            canvas.grab();  // lays it out
            const QRect axes = canvas.axisRect()->rect();
            const QRect legend = canvas.legend->rect();
            QVERIFY(!canvas.legend->visible() || legend.top() > axes.bottom());
            QVERIFY(!canvas.legend->visible() || legend.bottom() <= canvas.height());
            QVERIFY(size.height() < 400 || canvas.legend->visible());
            QVERIFY(size.height() < 400 || axes.height() * 3 > shown.plot.height());
            qs::tests::screenshot(shown.view, QStringLiteral("compile_cost_%1").arg(size.width()));
        }
        // Two precisions, that of the noise floor and two modes, whatever cells there are.
        QCOMPARE(canvas.legend->itemCount(), 5);
    }

    static void saysWhatToDoWhereNothingIsCompiled()
    {
        Shown shown(sampleRun());
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QVERIFY(!shown.table.isVisible());
        QVERIFY(shown.empty.isVisible());
        QVERIFY(!shown.empty.text().isEmpty());
    }

    static void linesBeginAtTheirCost()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        shown.store.selectCell(compiledCell(4));
        const TotalTimeLine* compiled = nullptr;
        QTRY_VERIFY((compiled = shown.line(compiledCell(4))) != nullptr);
        QCOMPARE(compiled->begin, 43.0);
        const TotalTimeLine& baseline = shown.plot.times().lines.front();
        QVERIFY(baseline.isBaseline);
        QCOMPARE(baseline.begin, 1.0);
        // Where the lines cross is what the table says.
        QVERIFY(compiled->breakEven && compiled->breakEven->passes);
        const double passes = *compiled->breakEven->passes;
        QVERIFY(std::abs(compiled->after(passes) - baseline.after(passes)) <
                0.01 * baseline.after(passes));
        QVERIFY(shown.plot.times().mostPasses > passes);
    }

    static void theSwitchCountsFromAWarmCompile()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        shown.store.selectCell(compiledCell(4));
        QTRY_VERIFY(shown.line(compiledCell(4)) != nullptr);
        QTest::mouseClick(&shown.start, Qt::LeftButton);
        QTRY_VERIFY(shown.start.view()->isVisible());
        QTest::keyClick(shown.start.view(), Qt::Key_Down);
        QTest::keyClick(shown.start.view(), Qt::Key_Return);
        QTRY_VERIFY(shown.line(compiledCell(4)) != nullptr &&
                    shown.line(compiledCell(4))->begin == 8.0);
    }

    static void aClickOnARowSelectsTheCellAndItsCurves()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        const QModelIndex index = shown.table.model()->index(4, CompileCostModel::Cell);
        QTest::mouseClick(shown.table.viewport(), Qt::LeftButton, {},
                          shown.table.visualRect(index).center());
        QCOMPARE(shown.store.selectedCell(), shown.cellAt(4));
        QVERIFY(shown.line(shown.cellAt(4)) != nullptr);
        QTest::keyClick(shown.table.viewport(), Qt::Key_Down);
        QCOMPARE(shown.store.selectedCell(), shown.cellAt(5));
        QVERIFY(shown.line(shown.cellAt(5)) != nullptr);
    }

    static void aClickOnALineSelectsItsCell()
    {
        Shown shown(compiledRun());
        QVERIFY(shown.filled());
        shown.store.selectCell(compiledCell(16));
        const TotalTimeLine* line = nullptr;
        QTRY_VERIFY((line = shown.line(compiledCell(16))) != nullptr);
        shown.store.selectCell(QString());
        QVERIFY(QTest::qWaitForWindowExposed(&shown.plot));
        // Early: the compiled cell has all of its begin above the others.
        const TotalTimeLine& baseline = shown.plot.times().lines.front();
        const QPoint at = shown.plot.positionOf(baseline, 2.0).toPoint();
        QTest::mouseClick(shown.plot.childAt(at), Qt::LeftButton, {},
                          shown.plot.childAt(at)->mapFrom(&shown.plot, at));
        QTRY_VERIFY(!shown.store.selectedCell().isEmpty());
        QVERIFY(shown.line(shown.store.selectedCell()) != nullptr);
    }

    static void whoNeverWinsIsSortedLast()
    {
        qs::core::RunData data = compiledRun();
        // int8dq compiled takes twice as long as it does.
        for (qs::core::Measurement& row : data.measurements) {
            if (row.config.compile != "cuda-graph" || row.config.precision.front() != "int8dq")
                continue;
            for (double& seconds : row.result.deviceSeconds)
                seconds *= 20.0;
        }
        Shown shown(std::move(data));
        QVERIFY(shown.filled());
        shown.table.sortByColumn(CompileCostModel::Passes, Qt::AscendingOrder);
        const auto resultAt = [&](int row) {
            return shown.table.model()
                ->index(row, CompileCostModel::Passes)
                .data(CompileCostModel::ResultRole)
                .toInt();
        };
        QCOMPARE(resultAt(5), static_cast<int>(BreakEvenResult::Never));
        QVERIFY(resultAt(0) != static_cast<int>(BreakEvenResult::Never));
        QVERIFY(shown.plot.crossings() <= 1);
    }

    static void theModelKeepsItsWord()
    {
        RunStore store;
        CompileCostModel model(store);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        store.setRun(compiledRun());
        QTRY_COMPARE(model.rowCount(), 6);
        model.setStart(CompileStart::Warm);
        store.setRun(sampleRun());
        QTRY_COMPARE(model.rowCount(), 0);
    }
};

const tests::GuiTest<TestCompileCostView> registered(__FILE_NAME__);

}  // namespace qs::tst_compile_cost_view

#include "tst_compile_cost_view.moc"
