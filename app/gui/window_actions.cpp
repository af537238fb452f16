#include "app/gui/window_actions.h"

#include "app/gui/settings.h"
#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>

namespace qs::app {

namespace {

// An action or a submenu of a menu; neither: a line between them.
template <typename Group>
struct Entry {
    QAction* Group::*action = nullptr;
    const char* name = "";
    const char* text = "";
    const char* toolTip = "";
    QKeyCombination keys = Qt::Key_unknown;
    bool checkable = false;
    QMenu* Group::*menu = nullptr;
};

// The tables hold texts of this class.
struct WindowActionsText {
    Q_DECLARE_TR_FUNCTIONS(WindowActions)
};

constexpr Entry<FileActions> kFileMenu[] = {
    {&FileActions::openPreset, "actionOpenPreset", QT_TR_NOOP("&Open preset…"),
     QT_TR_NOOP("Open a sweep preset"), Qt::CTRL | Qt::SHIFT | Qt::Key_O},
    {nullptr, "recentPresetsMenu", QT_TR_NOOP("Recent &presets"), "", Qt::Key_unknown, false,
     &FileActions::recentPresets},
    {&FileActions::savePreset, "actionSavePreset", QT_TR_NOOP("&Save preset as…"),
     QT_TR_NOOP("Save the draft as a preset file"), Qt::CTRL | Qt::Key_S},
    {},
    {&FileActions::openRun, "actionOpenRun", QT_TR_NOOP("Open &run folder…"),
     QT_TR_NOOP("Open an earlier run"), Qt::CTRL | Qt::Key_O},
    {nullptr, "recentRunsMenu", QT_TR_NOOP("Recent r&uns"), "", Qt::Key_unknown, false,
     &FileActions::recentRuns},
    {},
};

constexpr Entry<FileActions> kFileMenuEnd[] = {
    {},
    {&FileActions::caches, "actionCaches", QT_TR_NOOP("&Caches…"),
     QT_TR_NOOP("What is kept to be quicker the next time: its size, and buttons that clear it")},
    {},
    {&FileActions::quit, "actionQuit", QT_TR_NOOP("&Quit"), QT_TR_NOOP("Close the window"),
     Qt::CTRL | Qt::Key_Q},
};

constexpr Entry<ExportActions> kExportMenu[] = {
    {&ExportActions::tables, "actionExportTables", QT_TR_NOOP("&Tables as CSV…"),
     QT_TR_NOOP("Cells, measurements and samples as CSV files in a folder")},
    {&ExportActions::report, "actionExportReport", QT_TR_NOOP("&Report…"),
     QT_TR_NOOP("report.html with figures and images, summary.md, tables as CSV, and JSON, in a "
                "folder"),
     Qt::CTRL | Qt::SHIFT | Qt::Key_E},
    {&ExportActions::curvesColumn, "actionExportCurvesColumn", QT_TR_NOOP("&Curves, one column…"),
     QT_TR_NOOP("Save the curves as PNG (300 dpi), SVG or PDF, 3.5 inches wide")},
    {&ExportActions::curves, "actionExportCurves", QT_TR_NOOP("Curves, t&wo columns…"),
     QT_TR_NOOP("Save the curves as PNG (300 dpi), SVG or PDF, 7.16 inches wide")},
    {&ExportActions::figure, "actionExportFigure", QT_TR_NOOP("&Figure for a paper…"),
     QT_TR_NOOP("The plot in view with width, font, size and place of the legend; also as a script "
                "for matplotlib with its data")},
    {&ExportActions::copyFigure, "actionCopyFigure", QT_TR_NOOP("C&opy the plot"),
     QT_TR_NOOP("Copy the plot in view as an image"), Qt::CTRL | Qt::SHIFT | Qt::Key_C},
    {&ExportActions::pictures, "actionExportPictures", QT_TR_NOOP("&Images as PNG…"),
     QT_TR_NOOP("The comparison of the selected cells with captions")},
    {},
    {nullptr, "exportProfilesMenu", QT_TR_NOOP("&Export for…"), "", Qt::Key_unknown, false,
     &ExportActions::profiles},
};

constexpr Entry<RunActions> kRunMenu[] = {
    {&RunActions::start, "actionRun", QT_TR_NOOP("&Run"), QT_TR_NOOP("Start the sweep"),
     Qt::CTRL | Qt::Key_R},
    {&RunActions::append, "actionAppend", QT_TR_NOOP("&Add to the run in view"),
     QT_TR_NOOP("Measure the cells of the draft that the run in view lacks, in additional rounds "
                "together with their baselines"),
     Qt::CTRL | Qt::SHIFT | Qt::Key_R},
    {&RunActions::settle, "actionSettle", QT_TR_NOOP("Repea&t unclear comparisons"), ""},
    {&RunActions::checkPicture, "actionCheckPicture", QT_TR_NOOP("Tr&y one sample…"),
     QT_TR_NOOP(
         "Run one sample, such as an image or a prompt, through the model of the draft before a "
         "sweep"),
     Qt::CTRL | Qt::Key_T},
    {},
    {&RunActions::pause, "actionPause", QT_TR_NOOP("&Pause"),
     QT_TR_NOOP("Finish the running cell, then wait until this is pressed again"),
     Qt::CTRL | Qt::Key_P, true},
    {&RunActions::skip, "actionSkip", QT_TR_NOOP("S&kip cell"),
     QT_TR_NOOP("End the running cell and continue with the next"), Qt::CTRL | Qt::Key_K},
    {&RunActions::bringForward, "actionBringForward", QT_TR_NOOP("Measure this cell ne&xt"),
     QT_TR_NOOP("Move the selected cell to the front of the cells left in this round; the others "
                "keep their order"),
     Qt::CTRL | Qt::SHIFT | Qt::Key_N},
    {&RunActions::stopAfterCell, "actionStopAfterCell", QT_TR_NOOP("&Stop after cell"),
     QT_TR_NOOP("Finish the running cell, then end the run"), Qt::CTRL | Qt::Key_Period},
    {&RunActions::stopNow, "actionStopNow", QT_TR_NOOP("Stop &now"),
     QT_TR_NOOP("End the run at once; the running cell is lost, finished ones are kept"),
     Qt::CTRL | Qt::SHIFT | Qt::Key_Period},
    {},
    {&RunActions::goOn, "actionGoOn", QT_TR_NOOP("Resu&me this run"),
     QT_TR_NOOP("Measure the missing cells of the run in view")},
    {&RunActions::retryFailed, "actionRetryFailed", QT_TR_NOOP("Retry &failed cells"),
     QT_TR_NOOP("Retry every failed cell of the run in view")},
};

constexpr Entry<ViewActions> kViewMenu[] = {
    {&ViewActions::plan, "actionPlan", QT_TR_NOOP("&Plan"),
     QT_TR_NOOP("Open or close the plan: the sweep that is being prepared"), Qt::CTRL | Qt::Key_B,
     true},
    {},
    {&ViewActions::curves, "actionCurves", QT_TR_NOOP("&Curves"), QT_TR_NOOP("Show the curves"),
     Qt::CTRL | Qt::Key_1},
    {&ViewActions::pareto, "actionPareto", QT_TR_NOOP("P&areto"),
     QT_TR_NOOP("Show quality against speed"), Qt::CTRL | Qt::Key_6},
    {&ViewActions::time, "actionTime", QT_TR_NOOP("T&ime"),
     QT_TR_NOOP("Show where the time of each cell goes"), Qt::CTRL | Qt::Key_7},
    {&ViewActions::compile, "actionCompile", QT_TR_NOOP("C&ompile cost"),
     QT_TR_NOOP("Show what compiling costs, and after how many passes it has paid"),
     Qt::CTRL | Qt::Key_8},
    {&ViewActions::table, "actionTable", QT_TR_NOOP("&Table"), QT_TR_NOOP("Show the table"),
     Qt::CTRL | Qt::Key_2},
    {&ViewActions::layers, "actionLayers", QT_TR_NOOP("&Layers"),
     QT_TR_NOOP("Show the layers of the model and which of them are quantized"),
     Qt::CTRL | Qt::Key_3},
    {&ViewActions::runs, "actionRuns", QT_TR_NOOP("&Runs"),
     QT_TR_NOOP("Show earlier runs and examples"), Qt::CTRL | Qt::Key_4},
    {&ViewActions::comparison, "actionComparison", QT_TR_NOOP("Co&mparison"),
     QT_TR_NOOP("Go to the images of the selected cell"), Qt::CTRL | Qt::Key_5},
    {&ViewActions::logarithmicY, "actionLogarithmicY", QT_TR_NOOP("Log &y axis"),
     QT_TR_NOOP("Equal steps of the curves for equal factors, or for equal differences")},
    {&ViewActions::largeView, "actionLargeView", QT_TR_NOOP("Ma&ximise the plot"),
     QT_TR_NOOP("Give the plot or view in front the whole window, or its part again"),
     Qt::SHIFT | Qt::Key_F11, true},
    {&ViewActions::largeImages, "actionLargeImages", QT_TR_NOOP("Images in the whole &window"),
     QT_TR_NOOP("Give the comparison the whole window, or its part again; in it, Space does the "
                "same and a double click shows one image alone"),
     Qt::Key_F11, true},
    {},
    {&ViewActions::measured, "actionMeasured", QT_TR_NOOP("Measurement &details…"),
     QT_TR_NOOP("Phases, samples, clocks and every figure of the selected cell"),
     Qt::CTRL | Qt::Key_M},
    {&ViewActions::environments, "actionEnvironments", QT_TR_NOOP("Compare &environments…"),
     QT_TR_NOOP(
         "Where the rows of the run in view were measured, and how these environments differ"),
     Qt::CTRL | Qt::SHIFT | Qt::Key_M},
    {&ViewActions::references, "actionReferences", QT_TR_NOOP("Results o&f other programs…"),
     QT_TR_NOOP("What other programs measured of the same network, such as torch.compile; results "
                "can be added from a file")},
    {&ViewActions::compareRuns, "actionCompareRuns", QT_TR_NOOP("Compare r&uns…"),
     QT_TR_NOOP("Lay one or more further runs beside the run in view"), Qt::CTRL | Qt::Key_D},
    {&ViewActions::stopComparing, "actionStopComparing", QT_TR_NOOP("&Stop comparing runs"),
     QT_TR_NOOP("Look at the run in view alone again"), Qt::CTRL | Qt::SHIFT | Qt::Key_D},
    {},
    {&ViewActions::nextPart, "actionNextPart", QT_TR_NOOP("&Next part of the window"),
     QT_TR_NOOP("Move the keyboard focus to the next of answer, draft, view and comparison"),
     Qt::Key_F6},
    {&ViewActions::previousPart, "actionPreviousPart", QT_TR_NOOP("Pre&vious part"),
     QT_TR_NOOP("Move the keyboard focus to the previous part of the window"),
     Qt::SHIFT | Qt::Key_F6},
    {},
    {&ViewActions::log, "actionLog", QT_TR_NOOP("Lo&g"), QT_TR_NOOP("Show the log of the worker"),
     Qt::CTRL | Qt::Key_L, true},
};

constexpr Entry<ViewActions> kHelpMenu[] = {
    {&ViewActions::help, "actionHelp", QT_TR_NOOP("&Help on this view"),
     QT_TR_NOOP("Open the help page of the view that has the focus"), Qt::Key_F1},
    {&ViewActions::palette, "actionPalette", QT_TR_NOOP("&Find a command…"),
     QT_TR_NOOP("Find any command of the menus by name"), Qt::CTRL | Qt::SHIFT | Qt::Key_P},
    {},
    {&ViewActions::about, "actionAbout", QT_TR_NOOP("&About QuantScope…"),
     QT_TR_NOOP("Versions of program, engine and system, and a button that copies them for a bug "
                "report")},
};

template <typename Group>
QAction* addAction(QMenu& menu, const Entry<Group>& entry)
{
    QAction* action = menu.addAction(WindowActionsText::tr(entry.text));
    const QString toolTip =
        *entry.toolTip == '\0' ? QString() : WindowActionsText::tr(entry.toolTip);
    action->setObjectName(QString::fromLatin1(entry.name));
    action->setStatusTip(toolTip);
    action->setToolTip(widgets::plainTip(toolTip));
    action->setCheckable(entry.checkable);
    if (entry.keys.key() == Qt::Key_unknown)
        return action;
    const QKeySequence keys(entry.keys);
    action->setShortcut(keys);
    action->setToolTip(widgets::plainTip(
        WindowActionsText::tr("%1 (%2)").arg(toolTip, keys.toString(QKeySequence::NativeText))));
    return action;
}

template <typename Group, std::size_t kCount>
void fill(QMenu& menu, const Entry<Group> (&entries)[kCount], Group& group)
{
    for (const Entry<Group>& entry : entries) {
        if (entry.action != nullptr) {
            group.*entry.action = addAction(menu, entry);
        } else if (entry.menu != nullptr) {
            group.*entry.menu = menu.addMenu(WindowActionsText::tr(entry.text));
            (group.*entry.menu)->setObjectName(QString::fromLatin1(entry.name));
        } else {
            menu.addSeparator();
        }
    }
}

void addFileMenu(QMenuBar& bar, WindowActions& actions)
{
    QMenu* menu = bar.addMenu(WindowActionsText::tr("&File"));
    fill(*menu, kFileMenu, actions.file);
    actions.exports.menu = menu->addMenu(WindowActionsText::tr("&Export"));
    actions.exports.menu->setObjectName(QStringLiteral("exportMenu"));
    fill(*actions.exports.menu, kExportMenu, actions.exports);
    fill(*menu, kFileMenuEnd, actions.file);
}

void addThemes(QMenu& menu, QActionGroup& group)
{
    const auto add = [&](Theme theme, const QString& text) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
        group.addAction(action);
    };
    add(Theme::System, WindowActionsText::tr("As the &desktop (from the next start)"));
    add(Theme::Light, WindowActionsText::tr("&Light"));
    add(Theme::Dark, WindowActionsText::tr("D&ark"));
}

// Of a button that comes where another one was: the second press of a double click on that one is
// none on this.
class OnePress final : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override
    {
        return event->type() == QEvent::MouseButtonDblClick;
    }
};

void addToolBar(QMainWindow& window, WindowActions& actions)
{
    QToolBar* bar = window.addToolBar(WindowActionsText::tr("Tools"));
    actions.bar = bar;
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const QStyle* style = window.style();
    const int iconSize = style->pixelMetric(QStyle::PM_SmallIconSize, nullptr, bar);
    bar->setIconSize({iconSize, iconSize});
    actions.view.plan->setChecked(true);
    actions.view.plan->setIconText(WindowActionsText::tr("+ New sweep"));
    bar->addAction(actions.view.plan);
    actions.view.compareRuns->setIconText(WindowActionsText::tr("Compare runs"));
    bar->addAction(actions.view.compareRuns);
    auto* rest = new QWidget(bar);
    rest->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(rest);
    // Seen while a run goes on; at the right they move nothing when they come and go.
    auto* controls = new QWidget(bar);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    for (QAction* action :
         {actions.run.pause, actions.run.skip, actions.run.stopAfterCell, actions.run.stopNow}) {
        auto* button = new QToolButton(controls);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(bar->iconSize());
        button->installEventFilter(new OnePress(button));
        row->addWidget(button);
    }
    actions.run.controls = bar->addWidget(controls);
    auto* resume = new QToolButton(bar);
    resume->setObjectName(QStringLiteral("resumeButton"));
    resume->setDefaultAction(actions.run.goOn);
    resume->setToolButtonStyle(Qt::ToolButtonTextOnly);
    actions.run.resume = bar->addWidget(resume);
    auto* exports = new widgets::MenuButton(bar);
    exports->setObjectName(QStringLiteral("exportButton"));
    exports->setText(WindowActionsText::tr("E&xport"));
    exports->setToolTip(
        WindowActionsText::tr("Tables, report (report.html), curves and images as files"));
    exports->setIcon(widgets::drawnIcon(widgets::DrawnIcon::Export));
    exports->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exports->setMenu(actions.exports.menu);
    bar->addWidget(exports);
}

}  // namespace

QString menuText(QString name)
{
    return name.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

void fillWithPaths(QMenu& menu, const std::vector<NamedPath>& paths,
                   const std::function<void(const QString&)>& open)
{
    menu.clear();
    for (const auto& [path, name] : paths) {
        QAction* action = menu.addAction(menuText(name));
        action->setToolTip(widgets::plainTip(path));
        QObject::connect(action, &QAction::triggered, &menu, [open, path = path] { open(path); });
    }
    menu.setToolTipsVisible(true);
    menu.setEnabled(!menu.isEmpty());
}

WindowActions makeActions(QMainWindow& window)
{
    WindowActions actions;
    QMenuBar& bar = *window.menuBar();
    addFileMenu(bar, actions);
    actions.view.edit = bar.addMenu(WindowActionsText::tr("Edit"));
    fill(*bar.addMenu(WindowActionsText::tr("&Run")), kRunMenu, actions.run);
    QMenu* view = bar.addMenu(WindowActionsText::tr("&View"));
    fill(*view, kViewMenu, actions.view);
    view->addSeparator();
    actions.view.themes = new QActionGroup(&window);
    addThemes(*view->addMenu(WindowActionsText::tr("T&heme")), *actions.view.themes);
    actions.view.image = bar.addMenu(WindowActionsText::tr("Image"));
    fill(*bar.addMenu(WindowActionsText::tr("&Help")), kHelpMenu, actions.view);
    addToolBar(window, actions);
    using widgets::DrawnIcon;
    actions.run.pause->setIcon(widgets::drawnIcon(DrawnIcon::Pause));
    actions.run.skip->setIcon(widgets::drawnIcon(DrawnIcon::Skip));
    actions.run.stopAfterCell->setIcon(widgets::drawnIcon(DrawnIcon::StopAfterCell));
    actions.run.stopNow->setIcon(widgets::drawnIcon(DrawnIcon::StopNow));
    return actions;
}

}  // namespace qs::app
