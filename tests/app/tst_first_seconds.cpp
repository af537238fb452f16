#include "app/gui/live_strip.h"
#include "core/analysis/find_answer.h"
#include "core/report/words/answer_text.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/phase_text.h"
#include "widgets/plot/curve_plot.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace qs::tst_first_seconds {

using namespace tests;
using namespace std::chrono_literals;
using app::MainWindow;

namespace {

constexpr std::size_t kCells = 9;
const char* const kBatches = "[1, 2, 4]";

QAction* actionNamed(const QMenu& menu, const char* name)
{
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String(name))
            return action;
    }
    return nullptr;
}

QToolButton* buttonOf(MainWindow& window, const char* action)
{
    auto* wanted = child<QAction>(window, action);
    for (auto* button : window.findChildren<QToolButton*>()) {
        if (button->defaultAction() == wanted && button->isVisible())
            return button;
    }
    return nullptr;
}

}  // namespace

// What is seen of a run before its first result, while it waits, and when it was stopped.
class TestFirstSeconds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void everythingPlannedIsSeenBeforeTheFirstResult()
    {
        OpenedWindow opened(3s, kBatches);
        MainWindow& window = opened.window;
        window.resize(1400, 860);
        QVERIFY(opened.getsReady());
        click(*opened.run);
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller().progress().cellId.empty(), kEngineMs);
        const core::Plan& plan = window.controller().plan();
        const core::PlannedCell* cell = plan.find(window.controller().progress().cellId);
        QVERIFY(cell != nullptr);
        // Its cell and phase, in the strip over the table.
        auto* live = child<app::LiveStrip>(window, "liveStrip");
        QTRY_VERIFY(live->isVisible());
        QVERIFY2(live->text().contains(widgets::cellTitle(cell->config)), qPrintable(live->text()));
        QTRY_VERIFY2(
            live->text().contains(widgets::cellActivity(window.controller().progress().phase)),
            qPrintable(live->text()));
        // How much is to come.
        const auto* bar = child<QProgressBar>(window, "runProgress");
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->maximum(), static_cast<int>(kCells));
        QCOMPARE(bar->value(), 0);
        // Every row, and the axis from the first planned place to the last.
        QCOMPARE(child<QTableView>(window, "cellView")->model()->rowCount(), int(kCells));
        const auto* plot = child<widgets::CurvePlot>(window, "curvePlot");
        QVERIFY(plot->isVisible());
        const QRectF range = plot->visibleRange();
        QVERIFY2(range.left() <= 1.0 && range.right() >= 4.0,
                 qPrintable(QStringLiteral("%1 to %2").arg(range.left()).arg(range.right())));
        QVERIFY2(widgets::axesPlace(*plot).width() > plot->width() / 2,
                 qPrintable(QString::number(widgets::axesPlace(*plot).width())));
        // The run itself, by its menu.
        QMenu& menu = *child<QToolButton>(window, "runMenuButton")->menu();
        Q_EMIT menu.aboutToShow();
        QVERIFY(actionNamed(menu, "runningRun") != nullptr);
        // All of that stood there before anything was measured.
        QVERIFY(window.store().data().measurements.empty());
        screenshot(window, QStringLiteral("window-first-seconds"));
        // What the others are compared with comes first.
        QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
        const core::PlannedCell* first =
            plan.find(window.store().data().measurements.front().cellId);
        QCOMPARE(first->referenceId, first->id);
        QVERIFY(opened.stopsNow());
    }

    // A pause waits for the cell that goes on, and that is said until it holds.
    void aPauseIsSaidBeforeItHolds()
    {
        OpenedWindow opened(1500ms, kBatches);
        MainWindow& window = opened.window;
        window.resize(1400, 860);
        QVERIFY(opened.getsReady());
        click(*opened.run);
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller().progress().cellId.empty(), kEngineMs);
        const auto* status = child<QLabel>(window, "statusText");
        QToolButton* button = buttonOf(window, "actionPause");
        QVERIFY(button != nullptr);
        const QString running = status->text();
        click(*button);
        QVERIFY(window.controller().isPaused());
        QVERIFY(window.controller().progress().phase != core::Phase::Paused);
        // What the run tells while its cell goes on says the same.
        int told = 0;
        bool early = false;
        const auto listen = [&] {
            const core::RunProgress& progress = window.controller().progress();
            told += progress.phase != core::Phase::Paused ? 1 : 0;
            early = early || (progress.paused && progress.phase != core::Phase::Paused);
        };
        connect(&window.controller(), &app::RunController::progressChanged, this, listen);
        const QString waiting = status->text();
        QVERIFY2(waiting.size() > running.size(), qPrintable(waiting));
        const QString said = waiting.section(QStringLiteral(" · "), -1);
        QVERIFY2(!running.contains(said), qPrintable(said));
        QTRY_COMPARE_WITH_TIMEOUT(window.controller().progress().phase, core::Phase::Paused,
                                  kEngineMs);
        QTRY_VERIFY2(!status->text().contains(said), qPrintable(status->text()));
        QVERIFY(told > 0 && !early);
        window.controller().disconnect(this);
        QCOMPARE(window.store().data().measurements.size(), std::size_t{1});
        QVERIFY(opened.stopsNow());
    }

    // How far it came: in the window and in reports, with the numbers of its rows.
    void howFarAStoppedRunCame()
    {
        OpenedWindow opened(250ms, kBatches);
        MainWindow& window = opened.window;
        window.resize(1400, 860);
        QVERIFY(opened.getsReady());
        click(*opened.run);
        QTRY_VERIFY_WITH_TIMEOUT(window.store().data().measurements.size() >= 2, kRunMs);
        QToolButton* stop = buttonOf(window, "actionStopAfterCell");
        QVERIFY(stop != nullptr);
        click(*stop);
        QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kEngineMs);
        const auto& rows = window.store().data().measurements;
        QVERIFY(rows.size() < kCells);
        QVERIFY(std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.ok(); }));
        const QString done = QString::number(rows.size());
        const QString all = QString::number(kCells);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kEngineMs);
        const core::AnswerProgress progress =
            core::findAnswer(window.store().analysis(), {}).progress;
        QCOMPARE(progress.measured, static_cast<int>(rows.size()));
        QCOMPARE(progress.possible, static_cast<int>(kCells));
        QVERIFY(!progress.complete);
        const auto tells = [&](const QString& text) {
            const QStringList words = text.split(QLatin1Char(' '));
            const qsizetype at = words.indexOf(done);
            return at >= 0 && words.indexOf(all, at) > at;
        };
        for (const char* name : {"statusText", "answerHeadline"}) {
            const auto* label = child<QLabel>(window, name);
            QTRY_VERIFY2_WITH_TIMEOUT(tells(label->text()), qPrintable(label->text()), kEngineMs);
        }
        const std::string text = core::progressText(window.store().analysis());
        QVERIFY2(tells(QString::fromStdString(text)), text.c_str());
        QVERIFY(buttonOf(window, "actionGoOn") != nullptr);
    }
};

const tests::GuiTest<TestFirstSeconds> registered(__FILE_NAME__);

}  // namespace qs::tst_first_seconds

#include "tst_first_seconds.moc"
