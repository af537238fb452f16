#include "widgets/models/run_store.h"

#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"

#include <QSignalSpy>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>
#include <memory>
#include <utility>

namespace qs::tst_run_store {

using namespace widgets;

class RunStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anotherRunClearsTheSelection();
    void manyRowsMakeOneAnalysis();
    void whatIsAnalysedIsTold();
    void selectionSpeaksOnce();
    void baselineRewritesRatios();
    void snapshotsStayAsTheyWere();
    void whatComesDuringAnAnalysisWaits();
    void anotherRunOvertakesAnAnalysis();
    void aPlanGrowsUnderTheSelection();
    void aPlanGrowsAfterTheAnalysis();
    void aParkedRunComesBackWithWhatCame();
};

void RunStoreTest::anotherRunClearsTheSelection()
{
    RunStore store;
    QVERIFY(store.isEmpty());
    store.selectCell(QStringLiteral("x"));
    store.compareWith(QStringLiteral("y"));
    store.selectPicture(2);
    QSignalSpy replaced(&store, &RunStore::runReplaced);
    store.setRun(qs::tests::sampleRun());
    QCOMPARE(replaced.count(), 1);
    QVERIFY(store.selectedCell().isEmpty());
    QVERIFY(store.comparedCell().isEmpty());
    QCOMPARE(store.selectedPicture(), 0);
    QCOMPARE(store.analysis().cells.size(), store.data().plan.cells.size());
}

void RunStoreTest::manyRowsMakeOneAnalysis()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    RunStore store;
    store.setRun(std::move(data));
    QSignalSpy changed(&store, &RunStore::analysisChanged);
    for (const auto& row : rows)
        store.addMeasurement(row);
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE(changed.count(), 1);
    QVERIFY(store.analysis().cells.front().measured);
}

void RunStoreTest::whatIsAnalysedIsTold()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    RunStore store;
    store.setRun(std::move(data));
    QVERIFY(store.isAnalysed());
    const QSignalSpy analysed(&store, &RunStore::analysed);
    store.addMeasurement(rows.front());
    QVERIFY2(!store.isAnalysed(), "the analysis is of no row");
    QTRY_COMPARE(analysed.count(), 1);
    QVERIFY(store.isAnalysed());
    store.setBaseline(QStringLiteral("bf16-eager"));
    // What comes while an analysis is under way has one of its own.
    store.addMeasurement(rows.back());
    QVERIFY(!store.isAnalysed());
    QTRY_VERIFY(store.isAnalysed());
    QCOMPARE(store.data().measurements.size(), std::size_t{2});
}

void RunStoreTest::selectionSpeaksOnce()
{
    RunStore store;
    QSignalSpy changed(&store, &RunStore::selectionChanged);
    store.selectCell(QStringLiteral("a"));
    store.selectCell(QStringLiteral("a"));
    store.selectPicture(1);
    store.selectPicture(1);
    QCOMPARE(changed.count(), 2);
}

void RunStoreTest::baselineRewritesRatios()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const auto* cell = store.analysis().find("int8dq-cuda-graph-b4");
    QVERIFY(cell != nullptr && cell->speedup.has_value());
    const double before = *cell->speedup;
    const QSignalSpy changed(&store, &RunStore::analysisChanged);
    store.setBaseline(QStringLiteral("bf16-eager"));
    QTRY_COMPARE(changed.count(), 1);
    cell = store.analysis().find("int8dq-cuda-graph-b4");
    QCOMPARE(cell->baselineId, std::string("bf16-none-b4"));
    QVERIFY(*cell->speedup > before);  // eager is slower than the graph that was best
}

void RunStoreTest::snapshotsStayAsTheyWere()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto row = data.measurements.back();
    data.measurements.pop_back();
    RunStore store;
    store.setRun(std::move(data));
    const qs::core::RunData* before = &store.data();
    store.addMeasurement(row);
    QCOMPARE(&store.data(), before);
    auto snapshot = store.snapshot();
    QCOMPARE(snapshot.get(), before);  // a hundred thousand rows are not copied
    const std::size_t rows = snapshot->measurements.size();
    // What comes while somebody reads waits.
    store.addMeasurement(row);
    store.addEvent({.at = {}, .kind = qs::core::EventKind::Stopped});
    QSignalSpy looked(store.findChild<QTimer*>(), &QTimer::timeout);
    QVERIFY(looked.wait());
    QCOMPARE(snapshot->measurements.size(), rows);
    auto second = store.snapshot();
    snapshot.reset();
    QVERIFY(looked.wait());
    QCOMPARE(second->measurements.size(), rows);
    second.reset();
    QTRY_COMPARE(store.data().measurements.size(), rows + 1);
    QCOMPARE(store.data().events.back().kind, qs::core::EventKind::Stopped);
    QCOMPARE(&store.data(), before);
    QCOMPARE(store.analysis().cells.front().cell, &store.data().plan.cells.front());
}

namespace {

// The sample run with so many rounds that its analysis takes a while.
qs::core::RunData largeRun()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto rows = data.measurements;
    constexpr std::size_t kRows = 5000;
    for (int round = 3; data.measurements.size() < kRows; round += 3) {
        for (auto row : rows) {
            row.round += round;
            data.measurements.push_back(std::move(row));
        }
    }
    return data;
}

}  // namespace

// The plan of a run with one more cell.
qs::core::Plan grown(const qs::core::Plan& plan)
{
    qs::core::Plan more = plan;
    more.cells.push_back(plan.cells.back());
    more.cells.back().id = "appended";
    return more;
}

void RunStoreTest::aPlanGrowsUnderTheSelection()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const std::size_t cells = store.data().plan.cells.size();
    store.selectCell(QStringLiteral("int8dq-cuda-graph-b4"));
    const QSignalSpy replaced(&store, &RunStore::runReplaced);
    const qs::core::Measurement* firstRow = store.data().measurements.data();
    auto snapshot = store.snapshot();
    store.growPlan(grown(store.data().plan));
    QCOMPARE(store.data().plan.cells.size(), cells);  // somebody reads
    snapshot.reset();
    QTRY_COMPARE(store.analysis().cells.size(), cells + 1);
    QCOMPARE(store.data().measurements.data(), firstRow);  // not copied
    QCOMPARE(store.analysis().cells.back().cell, &store.data().plan.cells.back());
    QCOMPARE(store.selectedCell(), QStringLiteral("int8dq-cuda-graph-b4"));
    QCOMPARE(replaced.count(), 0);
}

void RunStoreTest::aPlanGrowsAfterTheAnalysis()
{
    RunStore store;
    store.setRun(largeRun());
    const std::size_t cells = store.data().plan.cells.size();
    store.setBaseline(QStringLiteral("bf16-eager"));
    store.growPlan(grown(store.data().plan));
    QCOMPARE(store.data().plan.cells.size(), cells);  // the pool still reads
    QTRY_COMPARE(store.analysis().cells.size(), cells + 1);
    QCOMPARE(store.analysis().cells.back().cellId, std::string("appended"));
    QCOMPARE(store.analysis().find("int8dq-cuda-graph-b4")->baselineId,
             std::string("bf16-none-b4"));
    QTRY_VERIFY(QThreadPool::globalInstance()->activeThreadCount() == 0);
}

void RunStoreTest::whatComesDuringAnAnalysisWaits()
{
    RunStore store;
    store.setRun(largeRun());
    const auto row = store.data().measurements.back();
    const std::size_t rows = store.data().measurements.size();
    QSignalSpy changed(&store, &RunStore::analysisChanged);
    store.setBaseline(QStringLiteral("bf16-eager"));
    QCOMPARE(changed.count(), 0);
    QCOMPARE(store.analysis().find("int8dq-cuda-graph-b4")->baselineId,
             std::string("bf16-cuda-graph-b4"));  // the analysis of before, whole
    // What comes meanwhile is neither lost nor seen half.
    store.addMeasurement(row);
    store.addQuality(store.data().qualities.back());
    store.addEvent({.at = {}, .kind = qs::core::EventKind::Stopped});
    store.setBaseline(QStringLiteral("best-bf16"));
    QCOMPARE(store.data().measurements.size(), rows);
    // Not by polling: the second analysis may come before a poll has seen the first.
    constexpr int kAnalysisMs = 30'000;
    QVERIFY(changed.wait(kAnalysisMs));
    QCOMPARE(store.analysis().find("int8dq-cuda-graph-b4")->baselineId,
             std::string("bf16-none-b4"));
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 2, kAnalysisMs);
    QCOMPARE(store.data().measurements.size(), rows + 1);
    QCOMPARE(store.data().events.back().kind, qs::core::EventKind::Stopped);
    QCOMPARE(store.analysis().find("int8dq-cuda-graph-b4")->baselineId,
             std::string("bf16-cuda-graph-b4"));
    QCOMPARE(store.analysis().cells.front().cell, &store.data().plan.cells.front());
}

void RunStoreTest::anotherRunOvertakesAnAnalysis()
{
    RunStore store;
    store.setRun(largeRun());
    store.setBaseline(QStringLiteral("bf16-eager"));
    store.setRun(qs::tests::sampleRun());
    QSignalSpy changed(&store, &RunStore::analysisChanged);
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QCOMPARE(changed.count(), 0);
    QCOMPARE(store.baseline(), QStringLiteral("best-bf16"));
    store.addMeasurement(store.data().measurements.back());
    QTRY_COMPARE(changed.count(), 1);
}

// Whoever looks at another run meanwhile loses neither rows nor selection.
void RunStoreTest::aParkedRunComesBackWithWhatCame()
{
    qs::core::RunData data = qs::tests::sampleRun();
    const auto rows = std::exchange(data.measurements, {});
    RunStore store;
    store.setRun(std::move(data));
    store.addMeasurement(rows[0]);
    store.selectCell(QString::fromStdString(rows[0].cellId));
    store.selectPicture(1);
    ParkedRun parked = store.park();
    const std::size_t cells = parked.plan().cells.size();
    store.setRun(qs::core::RunData());
    QVERIFY(store.isEmpty());
    for (std::size_t i = 1; i < rows.size(); ++i)
        parked.addMeasurement(rows[i]);
    QCOMPARE(parked.plan().cells.size(), cells);
    QSignalSpy replaced(&store, &RunStore::runReplaced);
    store.setRun(std::move(parked));
    QCOMPARE(replaced.count(), 1);
    QCOMPARE(store.selectedCell(), QString::fromStdString(rows[0].cellId));
    QCOMPARE(store.selectedPicture(), 1);
    QTRY_COMPARE(store.data().measurements.size(), rows.size());
    QTRY_VERIFY(std::all_of(store.analysis().cells.begin(), store.analysis().cells.end(),
                            [](const auto& cell) { return cell.measured; }));
}

const tests::GuiTest<RunStoreTest> registered(__FILE_NAME__);

}  // namespace qs::tst_run_store

#include "tst_run_store.moc"
