#include "app/gui/window/window_parts.h"

#include "app/gui/action_palette.h"
#include "app/gui/answer_bar.h"
#include "app/gui/file_dialog.h"
#include "app/gui/help/help_window.h"
#include "app/gui/live_strip.h"
#include "app/gui/part_focus.h"
#include "app/gui/runs/compared_runs_bar.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "app/gui/theme.h"
#include "app/gui/window/comparison_room.h"
#include "app/gui/window/no_outputs_strip.h"
#include "app/gui/window/plan_drawer.h"
#include "app/gui/window/usual_split.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/image_menu.h"
#include "widgets/compile/compile_cost_view.h"
#include "widgets/layout/screen_room.h"
#include "widgets/layout/view_tabs.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/plot/pareto_view.h"
#include "widgets/table/cell_table.h"
#include "widgets/time/division_view.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <string_view>
#include <utility>

namespace qs::app {

namespace {

struct WindowPartsText {
    Q_DECLARE_TR_FUNCTIONS(WindowParts)
};

constexpr int kNarrowestSide = 320;
constexpr QSize kSmallestContent{2 * kNarrowestSide + 40, 400};

void addViews(WindowParts& parts, widgets::RunStore& store, const PartFolders& folders)
{
    parts.tabs->setObjectName(QStringLiteral("viewTabs"));
    parts.curves = new widgets::CurveView(store, parts.tabs);
    parts.pareto = new widgets::ParetoView(store, parts.tabs);
    parts.time = new widgets::DivisionView(store, parts.tabs);
    parts.compile = new widgets::CompileCostView(store, parts.tabs);
    parts.table = new widgets::CellTable(store, parts.views);
    parts.layers = new widgets::LayersView(store, folders.resources, parts.tabs);
    parts.runs = new RunsPage(folders.runs, folders.examples, parts.tabs);
    parts.tabs->addTab(parts.curves, WindowPartsText::tr("Curves"));
    parts.tabs->addTab(parts.pareto, WindowPartsText::tr("Pareto"));
    parts.tabs->addTab(parts.time, WindowPartsText::tr("Time"));
    parts.tabs->addTab(parts.layers, WindowPartsText::tr("Layers"));
    parts.tabs->addTab(parts.compile, WindowPartsText::tr("Compile cost"));
    parts.tabs->addTab(parts.runs, WindowPartsText::tr("Runs"));
    for (int i = 0; i < parts.tabs->count(); ++i)
        parts.tabs->setTabToolTip(i, parts.tabs->tabText(i));
    for (QToolButton* large : {&parts.curves->largeButton(), &parts.pareto->largeButton()}) {
        QObject::connect(large, &QToolButton::toggled, parts.tabs,
                         &widgets::ViewTabs::setWantsRoom);
        QObject::connect(parts.tabs, &widgets::ViewTabs::roomWanted, large,
                         &QToolButton::setChecked);
    }
    parts.views->setObjectName(QStringLiteral("viewSplitter"));
    parts.live = new LiveStrip(store);
    parts.live->hide();
    auto* under = new QWidget;
    auto* column = new QVBoxLayout(under);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    // Under the table, whose last rows make room for it: above, it would move the headings.
    column->addWidget(parts.table, 1);
    column->addWidget(parts.live);
    parts.views->addWidget(parts.tabs);
    parts.views->addWidget(under);
    parts.views->setStretchFactor(0, 3);
    parts.views->setStretchFactor(1, 2);
    parts.views->setSizes({300, 200});
    // What is not about the cells of the run has the place of the table, too.
    const auto divide = [parts] {
        const QWidget* seen = parts.tabs->currentWidget();
        parts.table->setVisible(seen == parts.curves || seen == parts.pareto);
        parts.views->widget(1)->setVisible(!parts.table->isHidden() && !parts.tabs->wantsRoom());
    };
    QObject::connect(parts.tabs, &QTabWidget::currentChanged, parts.table, divide);
    QObject::connect(parts.tabs, &widgets::ViewTabs::roomWanted, parts.table, divide);
}

QPlainTextEdit* makeLog()
{
    constexpr int kMostLines = 5000;
    auto* log = new QPlainTextEdit;
    log->setObjectName(QStringLiteral("log"));
    log->setAccessibleName(WindowPartsText::tr("Log of the worker"));
    log->setToolTip(WindowPartsText::tr("Output of the workers of this run, newest at the bottom"));
    log->setReadOnly(true);
    log->setTabChangesFocus(true);
    log->setMaximumBlockCount(kMostLines);
    log->setPlaceholderText(WindowPartsText::tr("Output of the workers appears here"));
    log->hide();
    return log;
}

void layOut(QMainWindow& window, const WindowParts& parts)
{
    parts.left->addWidget(parts.plan);
    parts.left->addWidget(parts.views);
    parts.left->setStretchFactor(1, 1);
    parts.left->setChildrenCollapsible(false);
    parts.splitter->setObjectName(QStringLiteral("mainSplitter"));
    // Either side can be dragged away: there is nothing that one never wants to be rid of.
    for (QWidget* side :
         {static_cast<QWidget*>(parts.left), static_cast<QWidget*>(parts.compare)}) {
        side->setMinimumWidth(kNarrowestSide);
        parts.splitter->addWidget(side);
    }
    // Of a larger window the images get all.
    parts.splitter->setStretchFactor(1, 1);
    auto* vertical = new QSplitter(Qt::Vertical);
    vertical->addWidget(parts.splitter);
    vertical->addWidget(parts.log);
    vertical->setStretchFactor(0, 5);
    vertical->setStretchFactor(1, 1);
    vertical->setChildrenCollapsible(false);
    auto* content = new QWidget;
    // Fixed: no text, selection or warning may ask for a larger window.
    content->setMinimumSize(kSmallestContent);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(4, 6, 4, 4);
    layout->addWidget(parts.answer);
    // What both say is short: side by side they leave the height to the results.
    auto* told = new QHBoxLayout;
    told->addWidget(parts.banner, 3);
    told->addWidget(parts.noOutputs, 2);
    layout->addLayout(told);
    layout->addWidget(parts.compared);
    layout->addWidget(vertical, 1);
    layout->addWidget(parts.status);
    window.setCentralWidget(content);
}

void setHelpPages(const WindowParts& parts)
{
    const std::pair<QWidget*, const char*> pages[] = {
        {parts.layers, "sweep"},  {parts.plan, "sweep"},        {parts.curves, "curves"},
        {parts.table, "table"},   {parts.compare, "compare"},   {parts.answer, "answer"},
        {parts.pareto, "curves"}, {parts.time, "curves"},       {parts.compile, "curves"},
        {parts.runs, "runs"},     {parts.status, "running"},    {parts.log, "running"},
        {parts.compared, "runs"}, {parts.noOutputs, "compare"}, {parts.live, "running"},
        {parts.banner, "runs"}};
    for (const auto& [widget, page] : pages)
        HelpWindow::setPageOf(*widget, QString::fromLatin1(page));
    // The bar of the tabs speaks of the view in front.
    const auto follow = [tabs = parts.tabs] {
        HelpWindow::setPageOf(*tabs, HelpWindow::pageOf(tabs->currentWidget()));
    };
    follow();
    QObject::connect(parts.tabs, &QTabWidget::currentChanged, parts.tabs, follow);
}

// Nothing of the results has all the room any more.
void share(const WindowParts& parts)
{
    parts.table->setWantsRoom(false);
    parts.tabs->setWantsRoom(false);
}

}  // namespace

WindowParts makeParts(QMainWindow& window, widgets::RunStore& store, const Settings& settings,
                      const PartFolders& folders)
{
    WindowParts parts;
    parts.plan = new widgets::PlanPanel(folders.resources, core::makePlan, &window);
    parts.plan->planned().setRunsFolder(folders.runs);
    parts.tabs = new widgets::ViewTabs(&window);
    parts.views = new QSplitter(Qt::Vertical, &window);
    addViews(parts, store, folders);
    parts.compare = new widgets::CompareView(store, &window);
    parts.compare->setObjectName(QStringLiteral("compareView"));
    parts.answer = new AnswerBar(store, settings.answerQuestion(), &window);
    parts.pareto->setQuestion(parts.answer->question());
    parts.curves->setQuestion(parts.answer->question());
    QObject::connect(parts.answer, &AnswerBar::questionChanged, parts.pareto,
                     &widgets::ParetoView::setQuestion);
    QObject::connect(parts.answer, &AnswerBar::questionChanged, parts.curves,
                     &widgets::CurveView::setQuestion);
    parts.banner = new ExampleBanner(&window);
    parts.compared = new ComparedRunsBar(store, &window);
    parts.noOutputs = new NoOutputsStrip(&window);
    parts.log = makeLog();
    parts.silent = new SilentPhaseBar(&window);
    parts.status = new StatusStrip(&window);
    parts.status->addOffer(parts.silent);
    parts.left = new QSplitter(Qt::Horizontal);
    parts.splitter = new QSplitter(Qt::Horizontal);
    parts.split = new UsualSplit(*parts.splitter);
    layOut(window, parts);
    parts.room = new ComparisonRoom({*parts.splitter, *parts.split, *parts.compare}, store);
    parts.drawer = new PlanDrawer(*parts.plan, *parts.views, *parts.left);
    parts.drawer->setParent(&window);
    setHelpPages(parts);
    QObject::connect(parts.compare, &widgets::CompareView::roomWanted, &window,
                     [left = parts.left](bool wanted) { left->setVisible(!wanted); });
    // In place of everything else, and back to the widths of before.
    QObject::connect(parts.table, &widgets::CellTable::roomWanted, &window, [parts](bool wanted) {
        parts.tabs->setVisible(!wanted);
        parts.room->setResultsWantRoom(wanted);
    });
    QObject::connect(parts.tabs, &widgets::ViewTabs::roomWanted, parts.room,
                     &ComparisonRoom::setResultsWantRoom);
    QObject::connect(&store, &widgets::RunStore::runReplaced, &window, [parts] { share(parts); });
    return parts;
}

void showView(const WindowParts& parts, const QString& name)
{
    const std::pair<const char*, QWidget*> views[] = {
        {"curves", parts.curves}, {"pareto", parts.pareto}, {"time", parts.time},
        {"table", parts.curves},  {"layers", parts.layers}, {"compile", parts.compile},
        {"runs", parts.runs}};
    for (const auto& [key, view] : views) {
        if (name != QLatin1String(key))
            continue;
        const bool table = name == QLatin1String("table");
        if (table)
            parts.tabs->setWantsRoom(false);
        else
            parts.table->setWantsRoom(false);
        if (!table || parts.table->isHidden())
            parts.tabs->setCurrentWidget(view);
        // The plan may lie over it.
        if (parts.views->isHidden())
            parts.drawer->setOpen(false);
    }
}

void connectViews(QMainWindow& window, const ViewActions& actions, const WindowParts& parts,
                  Settings& settings)
{
    const auto on = [&window](const QAction* action, auto slot) {
        QObject::connect(action, &QAction::triggered, &window, slot);
    };
    const std::pair<QAction*, const char*> views[] = {
        {actions.curves, "curves"}, {actions.pareto, "pareto"}, {actions.time, "time"},
        {actions.table, "table"},   {actions.layers, "layers"}, {actions.compile, "compile"},
        {actions.runs, "runs"}};
    for (const auto& [action, view] : views)
        on(action, [parts, view = view] {
            parts.compare->setWantsRoom(false);
            showView(parts, QLatin1String(view));
            focusInto(view == std::string_view("table") ? *parts.table
                                                        : *parts.tabs->currentWidget());
        });
    on(actions.comparison, [parts] {
        share(parts);
        focusInto(*parts.compare);
    });
    for (const bool forward : {true, false})
        on(forward ? actions.nextPart : actions.previousPart, [parts, forward] {
            focusNextPart(
                {parts.answer, parts.plan, parts.tabs->currentWidget(), parts.table, parts.compare},
                forward);
        });
    const widgets::DraftHistory& history = parts.plan->draft().history();
    actions.edit->addActions({history.undoAction(), history.redoAction()});
    widgets::fillImageMenu(*actions.image, *parts.compare);
    on(actions.logarithmicY, [parts] { parts.curves->toggleLogarithmicY(); });
    QObject::connect(actions.plan, &QAction::toggled, parts.drawer, &PlanDrawer::setOpen);
    QObject::connect(parts.drawer, &PlanDrawer::openChanged, actions.plan, &QAction::setChecked);
    // Who opens it wants to edit it.
    on(actions.plan, [parts] {
        parts.compare->setWantsRoom(false);
        if (parts.drawer->isOpen())
            focusInto(*parts.plan);
    });
    on(actions.largeView, [parts, large = actions.largeView] {
        const bool wanted = large->isChecked();
        parts.compare->setWantsRoom(false);
        parts.table->setWantsRoom(false);
        if (parts.views->isHidden())
            parts.drawer->setOpen(false);
        parts.tabs->setWantsRoom(wanted);
    });
    QObject::connect(parts.tabs, &widgets::ViewTabs::roomWanted, actions.largeView,
                     &QAction::setChecked);
    on(actions.largeImages, [parts, large = actions.largeImages] {
        if (large->isChecked())
            share(parts);
        parts.compare->setWantsRoom(large->isChecked() && !parts.compare->isHidden());
        large->setChecked(parts.compare->wantsRoom());
    });
    QObject::connect(parts.compare, &widgets::CompareView::roomWanted, actions.largeImages,
                     &QAction::setChecked);
    on(actions.palette, [&window] { (new ActionPalette(*window.menuBar(), &window))->open(); });
    for (QAction* action : actions.themes->actions()) {
        const auto theme = static_cast<Theme>(action->data().toInt());
        action->setChecked(theme == settings.theme());
        on(action, [theme, &settings] {
            settings.setTheme(theme);
            applyTheme(*qApp, theme);
        });
    }
    QToolButton* logButton = parts.status->logButton();
    QObject::connect(actions.log, &QAction::toggled, parts.log, &QWidget::setVisible);
    QObject::connect(actions.log, &QAction::toggled, logButton, &QToolButton::setChecked);
    QObject::connect(logButton, &QToolButton::toggled, actions.log, &QAction::setChecked);
}

void restoreLayout(QMainWindow& window, const WindowParts& parts, const Settings& settings)
{
    widgets::resizeWithinScreen(window, {1600, 950});
    if (const QByteArray geometry = settings.geometry(); !geometry.isEmpty())
        window.restoreGeometry(geometry);
    if (const QByteArray state = settings.splitterState(); !state.isEmpty())
        if (parts.splitter->restoreState(state))
            parts.split->setDragged();
    if (const QByteArray state = settings.columnState(); !state.isEmpty())
        static_cast<void>(parts.table->restoreColumnState(state));
    parts.runs->restoreColumnState(settings.runColumnState());
    setLastFolders(window, settings.lastFolders());
    const widgets::MapWish maps = settings.mapWish();
    parts.compare->controls().setKind(maps.kind);
    parts.compare->controls().setRange(maps.range);
}

void saveLayout(const QMainWindow& window, const WindowParts& parts, Settings& settings)
{
    // What has all the room for the moment is no layout to come back to.
    parts.compare->setWantsRoom(false);
    share(parts);
    parts.room->takeBack();
    settings.setGeometry(window.saveGeometry());
    settings.setSplitterState(parts.split->isDragged() ? parts.splitter->saveState()
                                                       : QByteArray());
    settings.setColumnState(parts.table->columnState());
    settings.setRunColumnState(parts.runs->columnState());
    settings.setLastFolders(lastFolders(window));
    settings.setMapWish(parts.compare->controls().mapWish());
}

}  // namespace qs::app
