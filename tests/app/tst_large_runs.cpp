#include "app/gui/runs/compare_runs.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/huge_model.h"
#include "tests/support/large_run.h"
#include "widgets/models/cell_columns.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/models/other_runs.h"
#include "widgets/plan/plan_panel.h"

#include <QTableView>

#include <algorithm>

namespace qs::tst_large_runs {

using app::MainWindow;
using tests::child;
using widgets::CellTableModel;

namespace {

constexpr int kLoadMs = 120'000;

}  // namespace

// What is large arrives complete. How long the window is busy with it is what bench_stalls prints.
class TestLargeRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void manyRowsOpenAndAreSorted();
    void manyCellsAreComparedWithAnotherRun();
    void theMissingTensorOfAHugeModelIsNamed();
};

void TestLargeRuns::manyRowsOpenAndAreSorted()
{
    const tests::WindowFixture fixture;
    const core::RunData data = tests::runOfRows(10'000);
    QVERIFY(tests::storeQuickly(fixture / "large", data));
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    QVERIFY(tests::opens(window, fixture / "large"));
    QCOMPARE(window.store().data().measurements.size(), data.measurements.size());
    window.showView(QStringLiteral("table"));
    auto* table = child<QTableView>(window, "cellView");
    QCOMPARE(table->model()->rowCount(), static_cast<int>(data.plan.cells.size()));
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        const int column = widgets::columnOf("throughput");
        table->sortByColumn(column, order);
        QList<double> values;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QVariant value =
                table->model()->index(row, column).data(CellTableModel::SortRole);
            if (value.isValid())
                values << value.toDouble();
        }
        QVERIFY(values.size() > 1);
        QVERIFY(order == Qt::AscendingOrder ? std::is_sorted(values.begin(), values.end())
                                            : std::is_sorted(values.rbegin(), values.rend()));
    }
}

void TestLargeRuns::manyCellsAreComparedWithAnotherRun()
{
    const tests::WindowFixture fixture;
    const core::RunData data = tests::runOfCells(1'000);
    QVERIFY(tests::storeQuickly(fixture / "large", data));
    QVERIFY(tests::storeQuickly(fixture / "other", data));
    MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    QVERIFY(tests::opens(window, fixture / "large"));
    const std::size_t cells = data.plan.cells.size();
    QCOMPARE(window.store().data().plan.cells.size(), cells);
    window.findChild<app::CompareRuns*>()->compareWith(
        {QString::fromStdString((fixture / "other").string())});
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kLoadMs);
    const core::RunComparison& compared = window.store().others().beside().front()->comparison;
    const auto again = std::count_if(data.plan.cells.begin(), data.plan.cells.end(),
                                     [](const auto& cell) { return cell.rerun > 0; });
    QCOMPARE(compared.cells.size(), cells - static_cast<std::size_t>(again));
    QVERIFY(compared.onlyBefore.empty() && compared.onlyAfter.empty());
    window.store().others().leave();
    QVERIFY(window.store().others().beside().empty());
}

void TestLargeRuns::theMissingTensorOfAHugeModelIsNamed()
{
    const tests::WindowFixture fixture;
    const auto file = fixture / "huge.safetensors";
    const auto left = tests::writeHugeModel(file);
    QVERIFY(left.has_value());
    MainWindow window(fixture.withoutEngine());
    window.show();
    auto* plan = child<widgets::PlanPanel>(window, "planPanel");
    window.openPreset(fixture.preset(tests::tinyPreset()));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    widgets::Inspection seen;
    connect(plan, &widgets::PlanPanel::modelInspected, this,
            [&](const widgets::Inspection& inspection) { seen = inspection; });
    window.openItem(file);
    QTRY_VERIFY_WITH_TIMEOUT(seen && !seen->report.missing.empty(), kLoadMs);
    QCOMPARE(seen->report.missing.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(seen->report.missing.front())
                .startsWith(QString::fromStdString(*left)));
    // The sweep cannot be planned without that tensor, so the window as a whole never settles.
    QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled(), kLoadMs);
    QVERIFY(!plan->canRun());
}

const tests::GuiTest<TestLargeRuns> registered(__FILE_NAME__);

}  // namespace qs::tst_large_runs

#include "tst_large_runs.moc"
