#include "app/gui/run_observer_bridge.h"
#include "tests/support/gui_test.h"

#include <atomic>
#include <thread>

namespace qs::tst_run_observer_bridge {

using app::RunNews;
using app::RunObserverBridge;
using namespace core;

namespace {

RunProgress progressOf(int done)
{
    RunProgress progress;
    progress.done = done;
    return progress;
}

}  // namespace

class TestRunObserverBridge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wakesOncePerTaking()
    {
        int woken = 0;
        RunObserverBridge bridge([&] { ++woken; });
        bridge.logged("a");
        bridge.logged("b");
        bridge.progressed(progressOf(1));
        QCOMPARE(woken, 1);
        const RunNews news = bridge.take();
        QCOMPARE(news.lines.size(), std::size_t{2});
        QCOMPARE(news.progress->done, 1);
        QVERIFY(!news.planned && !news.finished);
        bridge.finished({}, {});
        QCOMPARE(woken, 2);
        QVERIFY(bridge.take().finished->ok());
        QVERIFY(!bridge.take().finished);
    }

    void keepsOnlyTheNewestProgress()
    {
        RunObserverBridge bridge([] {});
        bridge.progressed(progressOf(1));
        bridge.progressed(progressOf(2));
        QCOMPARE(bridge.take().progress->done, 2);
        QVERIFY(!bridge.take().progress);
    }

    void aNewRunOvertakesTheGrowthOfItsPlan()
    {
        RunObserverBridge bridge([] {});
        Plan plan;
        plan.cells.resize(3);
        bridge.planGrew(plan);
        RunData data;
        data.plan = plan;
        bridge.planned(data);
        const RunNews first = bridge.take();
        QVERIFY(first.planned && !first.grown);
        plan.cells.resize(4);
        bridge.planGrew(plan);
        const RunNews second = bridge.take();
        QVERIFY(!second.planned);
        QCOMPARE(second.grown->cells.size(), std::size_t{4});
    }

    // They are in the copy of the run.
    void aNewRunOvertakesWhatWasToldOfIt()
    {
        RunObserverBridge bridge([] {});
        bridge.happened({});
        bridge.measured({});
        bridge.qualityKnown({});
        bridge.planned({});
        bridge.happened({});
        const RunNews news = bridge.take();
        QVERIFY(news.planned);
        QCOMPARE(news.events.size(), std::size_t{1});
        QVERIFY(news.measurements.empty() && news.qualities.empty());
    }

    void losesNothingButOldLines()
    {
        RunObserverBridge bridge([] {});
        constexpr int kTold = 5000;
        for (int i = 0; i < kTold; ++i) {
            Measurement row;
            row.round = i;
            bridge.measured(row);
            bridge.qualityKnown({});
            bridge.happened({});
            bridge.logged(std::to_string(i));
        }
        const RunNews news = bridge.take();
        QCOMPARE(news.measurements.size(), std::size_t{kTold});
        QCOMPARE(news.measurements.back().round, kTold - 1);
        QCOMPARE(news.qualities.size(), std::size_t{kTold});
        QCOMPARE(news.events.size(), std::size_t{kTold});
        QVERIFY(news.lines.size() <= RunNews::kMostLines);
        QCOMPARE(news.lines.back(), std::to_string(kTold - 1));
        QCOMPARE(news.linesLost + int(news.lines.size()), kTold);
    }

    void takesFromAnotherThread()
    {
        std::atomic<int> woken = 0;
        RunObserverBridge bridge([&] { ++woken; });
        std::thread session([&] {
            for (int i = 0; i < 1000; ++i)
                bridge.measured({});
            bridge.finished({}, {});
        });
        std::size_t rows = 0;
        bool finished = false;
        while (!finished) {
            const RunNews news = bridge.take();
            rows += news.measurements.size();
            finished = news.finished.has_value();
        }
        session.join();
        QCOMPARE(rows, std::size_t{1000});
        QVERIFY(woken >= 1);
    }
};

const tests::GuiTest<TestRunObserverBridge> registered(__FILE_NAME__);

}  // namespace qs::tst_run_observer_bridge

#include "tst_run_observer_bridge.moc"
