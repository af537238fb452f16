#include "app/gui/window/window_parts.h"

#include "app/gui/action_palette.h"
#include "app/gui/answer_bar.h"
#include "app/gui/help/help_window.h"
#include "app/gui/part_focus.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "app/gui/theme.h"
#include "app/gui/window/plan_drawer.h"
#include "widgets/compare/compare_view.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/table/cell_table.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(WindowParts)
};

constexpr int kNarrowestSide = 320;
constexpr int kUsualViews = 420;
constexpr QSize kSmallestContent{2 * kNarrowestSide + 40, 400};

void addViews(WindowParts& parts, widgets::RunStore& store, const PartFolders& folders)
{
    parts.tabs->setObjectName(QStringLiteral("viewTabs"));
    parts.tabs->setDocumentMode(true);
    parts.curves = new widgets::CurveView(store, parts.tabs);
    parts.table = new widgets::CellTable(store, parts.tabs);
    parts.layers = new widgets::LayersView(parts.tabs);
    parts.runs = new RunsPage(folders.runs, folders.examples, parts.tabs);
    parts.tabs->addTab(parts.curves, Text::tr("Curves"));
    parts.tabs->addTab(parts.table, Text::tr("Table"));
    parts.tabs->addTab(parts.layers, Text::tr("Layers"));
    parts.tabs->addTab(parts.runs, Text::tr("Runs"));
}

QPlainTextEdit* makeLog()
{
    constexpr int kMostLines = 5000;
    auto* log = new QPlainTextEdit;
    log->setObjectName(QStringLiteral("log"));
    log->setAccessibleName(Text::tr("Log of the worker"));
    log->setToolTip(Text::tr("Output of the workers of this run, newest at the bottom"));
    log->setReadOnly(true);
    log->setTabChangesFocus(true);
    log->setMaximumBlockCount(kMostLines);
    log->setPlaceholderText(Text::tr("Output of the workers appears here"));
    log->hide();
    return log;
}

void layOut(QMainWindow& window, const WindowParts& parts)
{
    parts.left->addWidget(parts.plan);
    parts.left->addWidget(parts.tabs);
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
    layout->setContentsMargins(6, 6, 6, 4);
    layout->addWidget(parts.answer);
    layout->addWidget(parts.banner);
    layout->addWidget(vertical, 1);
    layout->addWidget(parts.silent);
    layout->addWidget(parts.status);
    window.setCentralWidget(content);
}

void setHelpPages(const WindowParts& parts)
{
    const std::pair<QWidget*, const char*> pages[] = {
        {parts.layers, "sweep"}, {parts.plan, "sweep"},      {parts.curves, "curves"},
        {parts.table, "table"},  {parts.compare, "compare"}, {parts.answer, "answer"},
        {parts.runs, "runs"},    {parts.status, "running"},  {parts.log, "running"}};
    for (const auto& [widget, page] : pages)
        HelpWindow::setPageOf(*widget, QString::fromLatin1(page));
}

// Where a run has no images the views have all the room.
void giveRoom(const widgets::RunStore& store, widgets::CompareView& compare)
{
    const auto& cells = store.data().plan.cells;
    const bool images =
        cells.empty() || std::any_of(cells.begin(), cells.end(), [](const auto& cell) {
            return cell.output == core::OutputKind::Image;
        });
    if (!images)
        compare.setWantsRoom(false);
    compare.setVisible(images);
}

}  // namespace

WindowParts makeParts(QMainWindow& window, widgets::RunStore& store, const Settings& settings,
                      const PartFolders& folders)
{
    WindowParts parts;
    parts.plan = new widgets::PlanPanel(folders.resources, core::makePlan, &window);
    parts.plan->planned().setRunsFolder(folders.runs);
    parts.tabs = new QTabWidget(&window);
    addViews(parts, store, folders);
    parts.compare = new widgets::CompareView(store, &window);
    parts.compare->setObjectName(QStringLiteral("compareView"));
    parts.answer = new AnswerBar(store, settings.answerQuestion(), &window);
    parts.banner = new ExampleBanner(&window);
    parts.log = makeLog();
    parts.silent = new SilentPhaseBar(&window);
    parts.status = new StatusStrip(&window);
    parts.left = new QSplitter(Qt::Horizontal);
    parts.splitter = new QSplitter(Qt::Horizontal);
    layOut(window, parts);
    parts.drawer = new PlanDrawer(*parts.plan, *parts.tabs, *parts.left);
    parts.drawer->setParent(&window);
    setHelpPages(parts);
    QObject::connect(parts.compare, &widgets::CompareView::roomWanted, &window,
                     [left = parts.left](bool wanted) { left->setVisible(!wanted); });
    QObject::connect(&store, &widgets::RunStore::runReplaced, &window,
                     [&store, compare = parts.compare] { giveRoom(store, *compare); });
    return parts;
}

void showView(const WindowParts& parts, const QString& name)
{
    const std::pair<const char*, QWidget*> views[] = {{"curves", parts.curves},
                                                      {"table", parts.table},
                                                      {"layers", parts.layers},
                                                      {"runs", parts.runs}};
    for (const auto& [key, view] : views) {
        if (name != QLatin1String(key))
            continue;
        parts.tabs->setCurrentWidget(view);
        // The plan may lie over it.
        if (parts.tabs->isHidden())
            parts.drawer->setOpen(false);
    }
}

void connectViews(QMainWindow& window, const ViewActions& actions, const WindowParts& parts,
                  Settings& settings)
{
    const auto on = [&window](const QAction* action, auto slot) {
        QObject::connect(action, &QAction::triggered, &window, slot);
    };
    const std::pair<QAction*, const char*> views[] = {{actions.curves, "curves"},
                                                      {actions.table, "table"},
                                                      {actions.layers, "layers"},
                                                      {actions.runs, "runs"}};
    for (const auto& [action, view] : views)
        on(action, [parts, view = view] {
            parts.compare->setWantsRoom(false);
            showView(parts, QLatin1String(view));
            focusInto(*parts.tabs->currentWidget());
        });
    on(actions.comparison, [parts] { focusInto(*parts.compare); });
    for (const bool forward : {true, false})
        on(forward ? actions.nextPart : actions.previousPart, [parts, forward] {
            focusNextPart({parts.answer, parts.plan, parts.tabs->currentWidget(), parts.compare},
                          forward);
        });
    QObject::connect(actions.plan, &QAction::toggled, parts.drawer, &PlanDrawer::setOpen);
    QObject::connect(parts.drawer, &PlanDrawer::openChanged, actions.plan, &QAction::setChecked);
    // Who opens it wants to edit it.
    on(actions.plan, [parts] {
        parts.compare->setWantsRoom(false);
        if (parts.drawer->isOpen())
            focusInto(*parts.plan);
    });
    on(actions.largeImages, [parts, large = actions.largeImages] {
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
    const QSize screen = QApplication::primaryScreen()->availableSize();
    window.resize(std::min(1600, screen.width() * 9 / 10), std::min(950, screen.height() * 9 / 10));
    const int width = window.width();
    // The images get what they can use: two of them side by side are as high as the window.
    const int views = std::max(kUsualViews, width * 24 / 100);
    parts.splitter->setSizes({views, width - views});
    if (const QByteArray geometry = settings.geometry(); !geometry.isEmpty())
        window.restoreGeometry(geometry);
    if (const QByteArray state = settings.splitterState(); !state.isEmpty())
        parts.splitter->restoreState(state);
    if (const QByteArray state = settings.columnState(); !state.isEmpty())
        static_cast<void>(parts.table->restoreColumnState(state));
    const widgets::MapWish maps = settings.mapWish();
    parts.compare->controls().setKind(maps.kind);
    parts.compare->controls().setRange(maps.range);
}

void saveLayout(const QMainWindow& window, const WindowParts& parts, Settings& settings)
{
    // A comparison that has all the room for the moment is no layout to come back to.
    parts.compare->setWantsRoom(false);
    settings.setGeometry(window.saveGeometry());
    settings.setSplitterState(parts.splitter->saveState());
    settings.setColumnState(parts.table->columnState());
    settings.setMapWish(parts.compare->controls().mapWish());
}

}  // namespace qs::app
