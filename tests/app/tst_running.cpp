#include "app/gui/end_signals.h"
#include "app/gui/run_queue.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "app/gui/telemetry_strip.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/phase_text.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include <signal.h>

namespace qs::tst_running {

using namespace app;

namespace {

core::Plan planNamed(const std::string& name)
{
    core::Plan plan;
    plan.preset.name = name;
    plan.cells.emplace_back();
    return plan;
}

core::RunProgress compiling(double fraction)
{
    core::RunProgress progress;
    progress.cellId = "cell";
    progress.phase = core::Phase::Compile;
    progress.phaseFraction = fraction;
    return progress;
}

}  // namespace

// What accompanies a run: the queue, the bar for silent phases, the help.
class TestRunning : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnQtWarnings(); }
    void queueKeepsItsOrder();
    void queueButtonNamesWhatWaits();
    void silentPhasesOfferAChoice();
    void progressHidesTheChoice();
    void telemetryShowsTheFirstGpu();
    void imagesAreCountedWhileTheyArePrepared();
    void aPauseIsToldApartFromWaitingForOne();
    void signalsAskForTheEnd();
};

void TestRunning::imagesAreCountedWhileTheyArePrepared()
{
    StatusStrip strip;
    core::RunProgress progress;
    progress.phase = core::Phase::Inputs;
    progress.step = 3;
    progress.steps = 16;
    strip.showProgress(progress, {}, false, false);
    auto* text = strip.findChild<QLabel*>(QStringLiteral("statusText"));
    QCOMPARE(text->text(), QStringLiteral("preparing images 3/16"));
    progress = {};
    progress.phase = core::Phase::DiskFull;
    strip.showProgress(progress, {}, false, false);
    QCOMPARE(text->text(), widgets::phaseActivity(core::Phase::DiskFull));
}

void TestRunning::aPauseIsToldApartFromWaitingForOne()
{
    StatusStrip strip;
    const auto* text = strip.findChild<QLabel*>(QStringLiteral("statusText"));
    const auto* remaining = strip.findChild<QLabel*>(QStringLiteral("statusRemaining"));
    core::RunProgress progress = compiling(0.5);
    progress.remainingSeconds = 240.0;
    strip.showProgress(progress, {}, false, false);
    const QString running = text->text();
    QVERIFY(!remaining->isHidden());
    strip.showProgress(progress, {}, false, true);
    QVERIFY(text->text().startsWith(running + QStringLiteral(" · ")));
    QVERIFY(!remaining->isHidden());
    progress.cellId.clear();
    progress.phase = core::Phase::Paused;
    progress.paused = true;
    strip.showProgress(progress, {}, false, true);
    QCOMPARE(text->text(), widgets::phaseActivity(core::Phase::Paused));
    QVERIFY(remaining->isHidden());
}

void TestRunning::signalsAskForTheEnd()
{
    EndSignals::hold();
    const EndSignals ends;
    const QSignalSpy asked(&ends, &EndSignals::endRequested);
    for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
        ::raise(signal);  // to this thread: others of a test do not hold them
        QTRY_VERIFY(!asked.isEmpty() && asked.last()[0].toInt() == signal);
    }
    QCOMPARE(asked.count(), 3);
}

void TestRunning::queueKeepsItsOrder()
{
    RunQueue queue;
    QVERIFY(!queue.takeNext().has_value());
    queue.add(planNamed("one"));
    queue.add(planNamed("two"));
    queue.add(planNamed("three"));
    queue.remove(1);
    queue.remove(7);
    QCOMPARE(queue.size(), std::size_t{2});
    QCOMPARE(queue.takeNext()->preset.name, std::string("one"));
    QCOMPARE(queue.takeNext()->preset.name, std::string("three"));
    QVERIFY(queue.isEmpty());
}

void TestRunning::queueButtonNamesWhatWaits()
{
    QWidget parent;
    RunQueue queue;
    QToolButton* button = queue.makeButton(&parent);
    QVERIFY(button->isHidden());
    queue.add(planNamed("My sweep"));
    QVERIFY(!button->isHidden());
    QCOMPARE(button->text(), QStringLiteral("Queue: 1"));
    QMenu* menu = button->menu();
    Q_EMIT menu->aboutToShow();
    const QSignalSpy start(&queue, &RunQueue::startRequested);
    QCOMPARE(menu->actions().size(), 3);  // begin, separator, one sweep
    menu->actions()[0]->trigger();
    QCOMPARE(start.count(), 1);
    QVERIFY(menu->actions()[2]->text().contains(QStringLiteral("My sweep")));
    menu->actions()[2]->trigger();
    QVERIFY(queue.isEmpty());
    QVERIFY(button->isHidden());
}

void TestRunning::silentPhasesOfferAChoice()
{
    SilentPhaseBar bar;
    bar.setPatience(1);
    bar.showProgress(compiling(0.0), QStringLiteral("cuda-graph"));
    QVERIFY(bar.isHidden());
    QTRY_VERIFY(!bar.isHidden());
    const auto* text = bar.findChild<QLabel*>(QStringLiteral("silentPhaseText"));
    QVERIFY2(text->text().contains(widgets::phaseActivity(core::Phase::Compile)),
             qPrintable(text->text()));
    auto* mode = bar.findChild<QPushButton*>(QStringLiteral("silentSkipMode"));
    QCOMPARE(mode->text(), QStringLiteral("Skip compile mode cuda-graph"));
    const QSignalSpy skipMode(&bar, &SilentPhaseBar::skipCompileModeRequested);
    mode->click();
    QCOMPARE(skipMode.count(), 1);
    QVERIFY(bar.isHidden());
    // Eager is no compile mode to be left out.
    bar.showProgress(compiling(0.0), QStringLiteral("none"));
    QTRY_VERIFY(!bar.isHidden());
    QVERIFY(mode->isHidden());
    const QSignalSpy skipCell(&bar, &SilentPhaseBar::skipCellRequested);
    bar.findChild<QPushButton*>(QStringLiteral("silentSkipCell"))->click();
    QCOMPARE(skipCell.count(), 1);
}

void TestRunning::progressHidesTheChoice()
{
    SilentPhaseBar bar;
    bar.setPatience(1);
    bar.showProgress(compiling(0.1), QStringLiteral("none"));
    QTRY_VERIFY(!bar.isHidden());
    bar.showProgress(compiling(0.2), QStringLiteral("none"));
    QVERIFY(bar.isHidden());
    QTRY_VERIFY(!bar.isHidden());
    bar.showProgress({}, {});
    QVERIFY(bar.isHidden());
    bar.clear();
    // Were it still looking, it would have looked before one that began after it.
    SilentPhaseBar later;
    later.setPatience(1);
    later.showProgress(compiling(0.1), QStringLiteral("none"));
    QTRY_VERIFY(!later.isHidden());
    QVERIFY(bar.isHidden());
}

void TestRunning::telemetryShowsTheFirstGpu()
{
    const TelemetryStrip without("/nonexistent/libnvidia-ml.so.1");
    QVERIFY(without.isHidden());
    TelemetryStrip strip(QS_FAKE_NVML);
    QVERIFY(strip.isHidden());  // the driver is opened on another thread
    auto* text = strip.findChild<QLabel*>(QStringLiteral("telemetryText"));
    QTRY_VERIFY(text->text().contains(QStringLiteral("62 °C")));
    QVERIFY(!strip.isHidden());
    QVERIFY2(text->text().contains(QStringLiteral("351 W")), qPrintable(text->text()));
    QVERIFY2(text->text().contains(QStringLiteral("throttled")), qPrintable(text->text()));
    QVERIFY(strip.toolTip().contains(QStringLiteral("power cap")));
}

const tests::GuiTest<TestRunning> registered(__FILE_NAME__);

}  // namespace qs::tst_running

#include "tst_running.moc"
