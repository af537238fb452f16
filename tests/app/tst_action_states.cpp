#include "app/gui/window/action_states.h"
#include "tests/support/gui_test.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QSet>

namespace qs::tst_action_states {

using namespace app;

namespace {

// Names of the actions, of those that depend on anything, that are possible.
QSet<QString> possible(const WindowFacts& facts)
{
    QMainWindow window;
    const WindowActions actions = makeActions(window);
    for (QAction* action : window.findChildren<QAction*>())
        action->setEnabled(true);
    enableActions(actions, {});
    QList<QAction*> depending;
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->objectName().startsWith(QStringLiteral("action")) && !action->isEnabled())
            depending << action;
    }
    enableActions(actions, facts);
    QSet<QString> names;
    for (const QAction* action : depending) {
        if (action->isEnabled())
            names << action->objectName().mid(6);
    }
    return names;
}

QSet<QString> names(const char* text)
{
    const QStringList parts = QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return {parts.begin(), parts.end()};
}

}  // namespace

class TestActionStates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void factsDecide_data()
    {
        QTest::addColumn<WindowFacts>("facts");
        QTest::addColumn<QSet<QString>>("expected");
        const WindowFacts looking{.anyRun = true, .cellSelected = true};
        const char* exports =
            "ExportTables ExportReport ExportCurves ExportCurvesColumn ExportFigure CopyFigure ";
        const auto with = [&](const char* more) { return names(exports) + names(more); };
        QTest::newRow("nothing") << WindowFacts{} << names("");
        QTest::newRow("a draft") << WindowFacts{.engineReady = true,
                                                .named = true,
                                                .runnable = true}
                                 << names("SavePreset Run CheckPicture");
        QTest::newRow("a run") << WindowFacts{.anyRun = true} << with("");
        QTest::newRow("a run that lacks cells")
            << WindowFacts{.anyRun = true, .incomplete = true} << with("GoOn");
        QTest::newRow("a cell of it") << looking << with("ExportPictures");
        WindowFacts failed = looking;
        failed.anyFailed = true;
        failed.runnable = true;
        QTest::newRow("failed cells") << failed << with("ExportPictures RetryFailed Run Append");
        failed.elsewhere = true;
        QTest::newRow("measured on another computer") << failed << with("ExportPictures Run");
        WindowFacts running = looking;
        running.running = true;
        running.runnable = true;
        running.engineReady = true;
        const QSet<QString> control = names("Pause Skip StopAfterCell");
        const QSet<QString> duringRun = with("ExportPictures Run StopNow");
        QTest::newRow("another run is looked at") << running << duringRun + control;
        running.inView = true;
        QTest::newRow("running") << running << duringRun + control + names("BringForward Append");
        running.stopping = true;
        QTest::newRow("stopping") << running << duringRun;
    }

    void factsDecide()
    {
        QFETCH(const WindowFacts, facts);
        QFETCH(const QSet<QString>, expected);
        const QSet<QString> found = possible(facts);
        QCOMPARE(found - expected, QSet<QString>());
        QCOMPARE(expected - found, QSet<QString>());
    }

    // What was stopped is gone on with where it is seen.
    void stoppedRunsOfferToGoOn()
    {
        QMainWindow window;
        const WindowActions actions = makeActions(window);
        enableActions(actions, {.anyRun = true, .incomplete = true});
        QVERIFY(actions.run.resume->isVisible());
        for (const WindowFacts& facts :
             {WindowFacts{.anyRun = true},
              WindowFacts{.running = true, .anyRun = true, .incomplete = true},
              WindowFacts{.anyRun = true, .elsewhere = true, .incomplete = true}}) {
            enableActions(actions, facts);
            QVERIFY(!actions.run.resume->isVisible());
        }
        enableActions(actions, {.running = true});
        QVERIFY(actions.run.controls->isVisible());
        enableActions(actions, {});
        QVERIFY(!actions.run.controls->isVisible());
    }

    void pauseShowsWhatIs()
    {
        QMainWindow window;
        const WindowActions actions = makeActions(window);
        enableActions(actions, {.running = true, .paused = true});
        QVERIFY(actions.run.pause->isChecked());
        enableActions(actions, {.running = true});
        QVERIFY(!actions.run.pause->isChecked());
    }

    // Every place of the tables is filled, once.
    void everyActionIsMade()
    {
        QMainWindow window;
        const WindowActions actions = makeActions(window);
        const ViewActions& view = actions.view;
        QSet<QAction*> made;
        for (QAction* action :
             {view.plan,       view.curves,       view.pareto,        view.time,
              view.compile,    view.table,        view.layers,        view.runs,
              view.comparison, view.largeImages,  view.measured,      view.environments,
              view.references, view.compareRuns,  view.stopComparing, view.logarithmicY,
              view.nextPart,   view.previousPart, view.log,           view.help,
              view.palette,    view.about}) {
            QVERIFY(action != nullptr);
            made << action;
        }
        QCOMPARE(made.size(), 22);
        QVERIFY(view.edit != nullptr && view.image != nullptr);
        QVERIFY(view.themes != nullptr);
        QVERIFY(view.log->isCheckable() && !view.curves->isCheckable());
        QVERIFY(actions.file.recentRuns != nullptr && actions.file.recentPresets != nullptr);
        QCOMPARE(actions.exports.menu->actions().size(), 9);
    }
};

const tests::GuiTest<TestActionStates> registered(__FILE_NAME__);

}  // namespace qs::tst_action_states

#include "tst_action_states.moc"
