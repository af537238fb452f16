#include "widgets/models/run_store.h"

#include "tests/support/sample_run.h"

#include <QSignalSpy>
#include <QTest>

using namespace qs::widgets;

class RunStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anotherRunClearsTheSelection();
    void manyRowsMakeOneAnalysis();
    void selectionSpeaksOnce();
    void baselineRewritesRatios();
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
    store.setBaseline(QStringLiteral("bf16-eager"));
    cell = store.analysis().find("int8dq-cuda-graph-b4");
    QCOMPARE(cell->baselineId, std::string("bf16-none-b4"));
    QVERIFY(*cell->speedup > before);  // eager is slower than the graph that was best
}

QTEST_GUILESS_MAIN(RunStoreTest)
#include "tst_run_store.moc"
