#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/time/division_model.h"
#include "widgets/time/division_view.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>

namespace qs::tst_division_view {

using namespace widgets;
using core::KernelEvent;
using core::WorkKind;
using tests::sampleCellId;
using tests::sampleRun;

namespace {

// Every cell of batch 16 was profiled: half of its pass is products, a quarter copies.
qs::core::RunData profiledRun()
{
    qs::core::RunData data = sampleRun();
    for (qs::core::Measurement& row : data.measurements) {
        if (row.round != 0 || row.config.batch != 16 || !row.ok())
            continue;
        const double pass = row.result.deviceSeconds.front();
        row.result.profile = qs::core::profileOf(
            {{"gemm", WorkKind::Product, 0.0, pass / 2}, {"copy", WorkKind::Copy, pass, pass / 4}},
            1);
    }
    return data;
}

struct Shown {
    RunStore store;
    DivisionView view{store};
    QTableView& table = *view.findChild<QTableView*>();
    QLabel& empty = *view.findChild<QLabel*>(QStringLiteral("divisionEmpty"));

    explicit Shown(qs::core::RunData data)
    {
        store.setRun(std::move(data));
        view.resize(700, 400);
        view.show();
    }
    [[nodiscard]] bool filled()
    {
        return QTest::qWaitForWindowExposed(&view) &&
               QTest::qWaitFor([this] { return table.model()->rowCount() > 0; });
    }
    [[nodiscard]] QString cellAt(int row) const
    {
        return table.model()->index(row, 0).data(DivisionModel::CellIdRole).toString();
    }
    void click(int row, int column)
    {
        const QModelIndex index = table.model()->index(row, column);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
};

double shareOf(const Shown& shown, int row, const WorkPart& part)
{
    const auto shares = shown.table.model()
                            ->index(row, DivisionModel::Bar)
                            .data(DivisionModel::SharesRole)
                            .value<WorkShares>();
    double share = 0.0;
    for (const WorkShare& each : shares)
        share += each.part == part ? each.share : 0.0;
    return share;
}

}  // namespace

class TestDivisionView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void showsTheCellsThatHaveAProfile()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        // Two precisions in two modes, and the noise-floor runs fp32 and bf16 again.
        QCOMPARE(shown.table.model()->rowCount(), 6);
        QVERIFY(shown.empty.isHidden());
        for (int row = 0; row < 6; ++row) {
            QVERIFY(std::abs(shareOf(shown, row, WorkKind::Product) - 0.5) < 0.02);
            QVERIFY(std::abs(shareOf(shown, row, std::nullopt) - 0.25) < 0.04);
            QCOMPARE(shareOf(shown, row, WorkKind::Attention), 0.0);
        }
    }

    // In a narrow window names give way: the bars are what one looks at.
    static void barsKeepTheirRoom()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        const int letter = shown.view.fontMetrics().averageCharWidth();
        for (const int width : {700, 460, 400}) {
            shown.view.resize(width, 400);
            QVERIFY(shown.table.columnWidth(DivisionModel::Bar) >= 12 * letter);
            QVERIFY(shown.table.columnWidth(DivisionModel::Bar) >= width / 3);
            QCOMPARE(shown.table.horizontalScrollBar()->maximum(), 0);
        }
    }

    static void aBatchThatAllCellsHaveIsNotSaid()
    {
        const auto nameOfFirst = [](const Shown& shown) {
            return shown.table.model()->index(0, DivisionModel::Cell).data().toString();
        };
        qs::core::RunData data = profiledRun();
        Shown several(data);
        QVERIFY(several.filled());
        std::erase_if(data.plan.cells, [](const auto& cell) { return cell.config.batch != 16; });
        std::erase_if(data.measurements, [](const auto& row) { return row.config.batch != 16; });
        Shown one(std::move(data));
        QVERIFY(one.filled());
        QVERIFY(nameOfFirst(several).startsWith(nameOfFirst(one)));
        QVERIFY(nameOfFirst(several) != nameOfFirst(one));
    }

    static void saysWhenThereIsNothing()
    {
        Shown shown(sampleRun());
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QVERIFY(shown.table.isHidden());
        QVERIFY(shown.empty.isVisible());
        QVERIFY(!shown.empty.text().isEmpty());
    }

    static void launchesGiveWayToNames()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        const QAbstractItemModel& rows = *shown.table.model();
        QVERIFY(!shown.table.isColumnHidden(DivisionModel::Launches));
        const int whole = shown.table.columnWidth(DivisionModel::Cell);
        shown.view.resize(430, 400);
        QTRY_VERIFY(shown.table.isColumnHidden(DivisionModel::Launches));
        QVERIFY(shown.table.columnWidth(DivisionModel::Cell) <= whole);
        const QString launches = rows.index(0, DivisionModel::Launches).data().toString();
        QVERIFY(!launches.isEmpty());
        QVERIFY(
            rows.index(0, DivisionModel::Cell).data(Qt::ToolTipRole).toString().contains(launches));
        shown.view.resize(900, 400);
        QTRY_VERIFY(!shown.table.isColumnHidden(DivisionModel::Launches));
    }

    static void aClickSelectsTheCell()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        shown.click(2, DivisionModel::Bar);
        QCOMPARE(shown.store.selectedCell(), shown.cellAt(2));
        QTest::keyClick(shown.table.viewport(), Qt::Key_Down);
        QCOMPARE(shown.store.selectedCell(), shown.cellAt(3));
    }

    static void followsTheSelectionOfTheRun()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        const QString id = QString::fromStdString(sampleCellId("int8dq", "cuda-graph", 16));
        shown.store.selectCell(id);
        QCOMPARE(shown.table.currentIndex().data(DivisionModel::CellIdRole).toString(), id);
        // A cell without a profile is not another one.
        shown.store.selectCell(QString::fromStdString(sampleCellId("int8dq", "cuda-graph", 1)));
        QVERIFY(!shown.table.currentIndex().isValid());
        QCOMPARE(shown.store.selectedCell(),
                 QString::fromStdString(sampleCellId("int8dq", "cuda-graph", 1)));
    }

    static void aClickOnTheHeadingSorts()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        QHeaderView& header = *shown.table.horizontalHeader();
        const QPoint place(header.sectionViewportPosition(DivisionModel::PerUnit) + 8,
                           header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, place);
        double before = 0.0;
        for (int row = 0; row < 6; ++row) {
            const double seconds = shown.table.model()
                                       ->index(row, DivisionModel::PerUnit)
                                       .data(DivisionModel::SortRole)
                                       .toDouble();
            QVERIFY(seconds >= before);
            before = seconds;
        }
        QVERIFY(before > 0.0);
    }

    // The pixel at the far end of the shortest bar is coloured only when all have one length.
    static void barsAreTimesOrShares()
    {
        Shown shown(profiledRun());
        QVERIFY(shown.filled());
        QHeaderView& header = *shown.table.horizontalHeader();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          QPoint(header.sectionViewportPosition(DivisionModel::PerUnit) + 8,
                                 header.height() / 2));
        const auto farEnd = [&shown] {
            const QRect bar =
                shown.table.visualRect(shown.table.model()->index(0, DivisionModel::Bar));
            const QImage image = shown.table.viewport()->grab().toImage();
            return image.pixelColor((bar.topRight() + QPoint(-8, bar.height() / 2)) *
                                    image.devicePixelRatio());
        };
        const QColor gaps = workPartColour(std::nullopt, false);
        QVERIFY(farEnd() != gaps);
        auto& scale = *shown.view.findChild<QComboBox*>();
        QTest::mouseClick(&scale, Qt::LeftButton);
        QTRY_VERIFY(scale.view()->isVisible());
        QTest::keyClick(scale.view(), Qt::Key_Down);
        QTest::keyClick(scale.view(), Qt::Key_Return);
        QTRY_COMPARE(scale.currentIndex(), 1);
        QTRY_COMPARE(farEnd(), gaps);
    }

    static void theModelKeepsItsWord()
    {
        RunStore store;
        DivisionModel model(store);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        store.setRun(profiledRun());
        QTRY_COMPARE(model.rowCount(), 6);
        store.setRun(sampleRun());
        QTRY_COMPARE(model.rowCount(), 0);
    }
};

const tests::GuiTest<TestDivisionView> registered(__FILE_NAME__);

}  // namespace qs::tst_division_view

#include "tst_division_view.moc"
