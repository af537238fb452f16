#include "app/gui/window_actions.h"

#include "app/gui/action_icons.h"
#include "app/gui/settings.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStyle>
#include <QToolBar>

namespace qs::app {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(WindowActions)
};

QAction* add(QMenu* menu, const char* name, const QString& text, const QString& toolTip,
             const QKeySequence& keys = {})
{
    QAction* action = menu->addAction(text);
    action->setObjectName(QString::fromLatin1(name));
    action->setToolTip(widgets::plainTip(
        keys.isEmpty()
            ? toolTip
            : Text::tr("%1 (%2)").arg(toolTip, keys.toString(QKeySequence::NativeText))));
    action->setStatusTip(toolTip);
    action->setShortcut(keys);
    return action;
}

void addFileMenu(QMainWindow& window, WindowActions& actions)
{
    QMenu* menu = window.menuBar()->addMenu(Text::tr("&File"));
    actions.openPreset =
        add(menu, "actionOpenPreset", Text::tr("&Open preset…"), Text::tr("Open a sweep preset"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    actions.recentPresets = menu->addMenu(Text::tr("Recent &presets"));
    actions.savePreset =
        add(menu, "actionSavePreset", Text::tr("&Save preset as…"),
            Text::tr("Save the draft as a preset file"), QKeySequence(Qt::CTRL | Qt::Key_S));
    menu->addSeparator();
    actions.openRun =
        add(menu, "actionOpenRun", Text::tr("Open &run folder…"),
            Text::tr("Look at a run that was measured before"), QKeySequence(Qt::CTRL | Qt::Key_O));
    actions.recentRuns = menu->addMenu(Text::tr("Recent r&uns"));
    menu->addSeparator();
    actions.exportMenu = menu->addMenu(Text::tr("&Export"));
    actions.exportMenu->setObjectName(QStringLiteral("exportMenu"));
    actions.exportTables =
        add(actions.exportMenu, "actionExportTables", Text::tr("&Tables as CSV…"),
            Text::tr("Cells, measurements and samples as CSV files in a folder"));
    actions.exportReport = add(actions.exportMenu, "actionExportReport", Text::tr("&Report…"),
                               Text::tr("A summary to read, tables and JSON in a folder"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    actions.exportCurvesColumn =
        add(actions.exportMenu, "actionExportCurvesColumn", Text::tr("&Curves, one column…"),
            Text::tr("What the curve view shows as PNG (300 dpi), SVG or PDF, 3.5 inches wide"));
    actions.exportCurves =
        add(actions.exportMenu, "actionExportCurves", Text::tr("Curves, t&wo columns…"),
            Text::tr("What the curve view shows as PNG (300 dpi), SVG or PDF, 7.16 inches wide"));
    actions.exportPictures =
        add(actions.exportMenu, "actionExportPictures", Text::tr("&Pictures as PNG…"),
            Text::tr("The comparison of the selected cells with captions"));
    menu->addSeparator();
    actions.quit = add(menu, "actionQuit", Text::tr("&Quit"), Text::tr("Close the window"),
                       QKeySequence(Qt::CTRL | Qt::Key_Q));
}

void addRunMenu(QMainWindow& window, WindowActions& actions)
{
    QMenu* menu = window.menuBar()->addMenu(Text::tr("&Run"));
    actions.run = add(menu, "actionRun", Text::tr("&Run"), Text::tr("Start the sweep"),
                      QKeySequence(Qt::CTRL | Qt::Key_R));
    actions.append =
        add(menu, "actionAppend", Text::tr("&Append to the run in view"),
            Text::tr("Measure the cells of the draft that the run in view does not have yet, in "
                     "rounds of their own together with their baselines"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    actions.settle = add(menu, "actionSettle", Text::tr("Se&ttle"), QString());
    actions.checkPicture =
        add(menu, "actionCheckPicture", Text::tr("&Check one picture…"),
            Text::tr("Send one picture through the model of the draft, before any sweep"),
            QKeySequence(Qt::CTRL | Qt::Key_T));
    menu->addSeparator();
    actions.pause =
        add(menu, "actionPause", Text::tr("&Pause"),
            Text::tr("Measure nothing new until this is pressed again; the running cell goes on"),
            QKeySequence(Qt::CTRL | Qt::Key_P));
    actions.pause->setCheckable(true);
    actions.skip = add(menu, "actionSkip", Text::tr("S&kip cell"),
                       Text::tr("End the running cell and go on with the next"),
                       QKeySequence(Qt::CTRL | Qt::Key_K));
    actions.bringForward =
        add(menu, "actionBringForward", Text::tr("Measure this cell ne&xt"),
            Text::tr("Make the selected cell the first of those that are still to come in this "
                     "round; the others keep their order"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    actions.stopAfterCell = add(menu, "actionStopAfterCell", Text::tr("&Stop after cell"),
                                Text::tr("Finish the running cell, then end the run"),
                                QKeySequence(Qt::CTRL | Qt::Key_Period));
    actions.stopNow =
        add(menu, "actionStopNow", Text::tr("Stop &now"),
            Text::tr("End the run at once; the running cell is lost, finished ones are kept"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Period));
    menu->addSeparator();
    actions.goOn = add(menu, "actionGoOn", Text::tr("&Go on with this run"),
                       Text::tr("Measure what the run in view still lacks"));
    actions.retryFailed =
        add(menu, "actionRetryFailed", Text::tr("Retry &failed cells"),
            Text::tr("Give every cell of the run in view that failed another attempt"));
}

void addViewMenu(QMainWindow& window, WindowActions& actions)
{
    QMenu* menu = window.menuBar()->addMenu(Text::tr("&View"));
    actions.curves = add(menu, "actionCurves", Text::tr("&Curves"), Text::tr("Show the curves"),
                         QKeySequence(Qt::CTRL | Qt::Key_1));
    actions.table = add(menu, "actionTable", Text::tr("&Table"), Text::tr("Show the table"),
                        QKeySequence(Qt::CTRL | Qt::Key_2));
    actions.layers = add(menu, "actionLayers", Text::tr("&Layers"),
                         Text::tr("Show the layers of the model and which of them are matched"),
                         QKeySequence(Qt::CTRL | Qt::Key_3));
    actions.runs = add(menu, "actionRuns", Text::tr("&Runs"),
                       Text::tr("Show the runs of before and the examples"),
                       QKeySequence(Qt::CTRL | Qt::Key_4));
    actions.comparison = add(menu, "actionComparison", Text::tr("Co&mparison"),
                             Text::tr("Go to the pictures of the selected cell"),
                             QKeySequence(Qt::CTRL | Qt::Key_5));
    menu->addSeparator();
    actions.measured =
        add(menu, "actionMeasured", Text::tr("How &was this measured…"),
            Text::tr("Phases, samples, clocks and every figure of the selected cell"),
            QKeySequence(Qt::CTRL | Qt::Key_M));
    actions.environments =
        add(menu, "actionEnvironments", Text::tr("Compare &environments…"),
            Text::tr("Where the rows of the run in view were measured, and in what that differs"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    menu->addSeparator();
    actions.nextPart = add(menu, "actionNextPart", Text::tr("&Next part of the window"),
                           Text::tr("Take the keyboard to the answer, the draft, the view or the "
                                    "comparison, whichever is next"),
                           QKeySequence(Qt::Key_F6));
    actions.previousPart = add(menu, "actionPreviousPart", Text::tr("&Previous part"),
                               Text::tr("Take the keyboard to the part of the window before"),
                               QKeySequence(Qt::SHIFT | Qt::Key_F6));
    menu->addSeparator();
    actions.log = add(menu, "actionLog", Text::tr("L&og"), Text::tr("Show what the worker writes"),
                      QKeySequence(Qt::CTRL | Qt::Key_L));
    actions.log->setCheckable(true);
    menu->addSeparator();
    QMenu* themes = menu->addMenu(Text::tr("T&heme"));
    actions.themes = new QActionGroup(&window);
    const auto addTheme = [&](Theme theme, const QString& text) {
        QAction* action = themes->addAction(text);
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
        actions.themes->addAction(action);
    };
    addTheme(Theme::System, Text::tr("As the &desktop (from the next start)"));
    addTheme(Theme::Light, Text::tr("&Light"));
    addTheme(Theme::Dark, Text::tr("D&ark"));
}

void addHelpMenu(QMainWindow& window, WindowActions& actions)
{
    QMenu* menu = window.menuBar()->addMenu(Text::tr("&Help"));
    actions.help = add(menu, "actionHelp", Text::tr("&Help on this view"),
                       Text::tr("Explain the view that has the focus"), QKeySequence(Qt::Key_F1));
    actions.palette = add(menu, "actionPalette", Text::tr("&Find an action…"),
                          Text::tr("Everything that the menus can do, found by its name"),
                          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
}

void addToolBar(QMainWindow& window, const WindowActions& actions)
{
    QToolBar* bar = window.addToolBar(Text::tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const QStyle* style = window.style();
    const int iconSize = style->pixelMetric(QStyle::PM_SmallIconSize, nullptr, bar);
    bar->setIconSize({iconSize, iconSize});
    actions.openPreset->setIcon(style->standardIcon(QStyle::SP_FileIcon));
    actions.openRun->setIcon(style->standardIcon(QStyle::SP_DirOpenIcon));
    bar->addAction(actions.openPreset);
    bar->addAction(actions.openRun);
    bar->addSeparator();
    bar->addAction(actions.checkPicture);
    bar->addSeparator();
    bar->addAction(actions.pause);
    bar->addAction(actions.skip);
    bar->addAction(actions.stopAfterCell);
    bar->addAction(actions.stopNow);
    bar->addSeparator();
    auto* exports = new widgets::MenuButton(bar);
    exports->setObjectName(QStringLiteral("exportButton"));
    exports->setText(Text::tr("E&xport"));
    exports->setToolTip(Text::tr("Tables, report, curves and pictures as files"));
    exports->setIcon(style->standardIcon(QStyle::SP_DialogSaveButton));
    exports->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exports->setMenu(actions.exportMenu);
    bar->addWidget(exports);
}

}  // namespace

void paintIcons(const WindowActions& actions, const QPalette& palette)
{
    actions.pause->setIcon(actionIcon(ActionIcon::Pause, palette));
    actions.skip->setIcon(actionIcon(ActionIcon::Skip, palette));
    actions.stopAfterCell->setIcon(actionIcon(ActionIcon::StopAfterCell, palette));
    actions.stopNow->setIcon(actionIcon(ActionIcon::StopNow, palette));
}

WindowActions makeActions(QMainWindow& window)
{
    WindowActions actions;
    addFileMenu(window, actions);
    addRunMenu(window, actions);
    addViewMenu(window, actions);
    addHelpMenu(window, actions);
    addToolBar(window, actions);
    paintIcons(actions, window.palette());
    return actions;
}

}  // namespace qs::app
