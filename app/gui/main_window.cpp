#include "app/gui/main_window.h"

#include "app/gui/answer_bar.h"
#include "app/gui/cache_dialog.h"
#include "app/gui/check_picture_dialog.h"
#include "app/gui/detail_windows.h"
#include "app/gui/exports.h"
#include "app/gui/file_dialog.h"
#include "app/gui/help/help_window.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/adapt_preset.h"
#include "app/gui/runs/compare_runs.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/recent_runs.h"
#include "app/gui/runs/run_here.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/settle_offer.h"
#include "app/gui/status_strip.h"
#include "app/gui/telemetry_strip.h"
#include "app/gui/window/action_states.h"
#include "app/gui/window/follow_run.h"
#include "app/gui/window/layer_search_flow.h"
#include "app/gui/window/plan_drawer.h"
#include "app/gui/window/run_menu.h"
#include "widgets/compare/compare_view.h"
#include "widgets/layout/view_tabs.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/sensitivity_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/plot/pareto_view.h"
#include "widgets/table/cell_table.h"

#include <QAction>
#include <QApplication>
#include <QPlainTextEdit>
#include <QTimer>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

WindowOptions completed(WindowOptions options, const Settings& settings)
{
    if (options.runsFolder.empty())
        options.runsFolder = settings.runsFolder();
    return options;
}

std::filesystem::path examplesIn(const core::ProgramPaths& paths)
{
    return paths.resources / "example_runs";
}

// The analysis comes a moment after the last row.
bool lacksCells(const core::RunData& run, const core::AnswerProgress& analyzed)
{
    const bool complete =
        !run.events.empty() && run.events.back().kind == core::EventKind::Complete;
    return !complete && !analyzed.complete;
}

bool anyFailed(const core::Analysis& analysis)
{
    using core::CellStatus;
    return std::any_of(analysis.cells.begin(), analysis.cells.end(), [](const auto& cell) {
        return cell.status != CellStatus::Ok && cell.status != CellStatus::Cancelled &&
               cell.status != CellStatus::Skipped;
    });
}

}  // namespace

MainWindow::MainWindow(WindowOptions options)
    : m_options(completed(options, Settings(options.settingsFile))),
      m_settings(m_options.settingsFile),
      m_name(m_store),
      m_controller(m_options.paths, m_store),
      m_messages(*this),
      m_parts(makeParts(
          *this, m_store, m_settings,
          {m_options.paths.resources, examplesIn(m_options.paths), m_options.runsFolder})),
      m_draft(*m_parts.plan, m_settings, m_messages, *this, m_options.paths.presets),
      m_flow(m_store, m_controller, m_messages, *this, m_options.runsFolder, m_options.paths),
      m_opening(m_store, m_controller, m_settings, m_messages, examplesIn(m_options.paths)),
      m_items(m_draft, m_opening, *m_parts.plan, m_messages, *this,
              m_options.runsFolder / "dropped-images"),
      m_status(m_name, m_controller, m_engine, m_messages, m_parts)
{
    setObjectName(QStringLiteral("mainWindow"));
    m_actions = makeActions(*this);
    addServices();
    connectFileActions();
    connectViews(*this, m_actions.view, m_parts, m_settings);
    connectRunActions();
    connectRun();
    connectFlows();
    connectLayers();
    connectRuns();
    restoreLayout(*this, m_parts, m_settings);
    fillRecent();
    updateActions();
    updateTitle();
    m_status.update();
    m_parts.plan->setEngine(m_engine.state());
    // The worker reads hundreds of megabytes of libraries: the window is painted first.
    QTimer::singleShot(0, this, [this] { m_engine.start(m_options.paths.worker); });
}

void MainWindow::addServices()
{
    m_parts.status->addPart(m_flow.queue().makeButton(m_parts.status));
    auto* runs = new RunMenu(m_store, m_name, m_controller, m_flow.queue(), m_settings, this);
    m_actions.bar->insertWidget(m_actions.view.plan, runs->makeButton(*m_actions.bar));
    connect(runs, &RunMenu::openRequested, this,
            [this](const QString& folder) { openRun(pathOf(folder)); });
    connect(runs, &RunMenu::allRunsWanted, m_actions.view.runs, &QAction::trigger);
    connect(runs, &RunMenu::otherFolderWanted, m_actions.file.openRun, &QAction::trigger);
    m_parts.status->addPart(new TelemetryStrip(m_options.nvmlLibrary, m_parts.status));
    m_exports = new Exports({.store = m_store,
                             .plot = [parts = m_parts]() -> const widgets::CurvePlot& {
                                 return parts.tabs->currentWidget() == parts.pareto
                                            ? parts.pareto->plot()
                                            : parts.curves->plot();
                             },
                             .pictures = *m_parts.compare},
                            m_actions.exports, *this);
    m_exports->setParent(this);
    m_runHere = new RunHere(*this, m_options.paths.resources);
    m_runHere->setParent(this);
    m_follow = new FollowRun(m_store, m_controller, this);
    m_layerSearch =
        new LayerSearchFlow(m_store, m_controller, m_flow, m_options.paths.resources, this);
    auto* details = new DetailWindows(
        {.store = m_store,
         .table = *m_parts.table,
         .pictures = *m_parts.compare,
         .curves = *m_parts.curves,
         .otherRuns = [this] { return m_opening.known(m_parts.runs->catalogue()); },
         .sweeping = [this] { return m_controller.isRunning(); }},
        m_actions.view, *this);
    details->setParent(this);
    m_compareRuns =
        new CompareRuns({.store = m_store,
                         .bar = *m_parts.compared,
                         .catalogue = m_parts.runs->catalogue(),
                         .refreshCatalogue = [this] { m_parts.runs->refresh(); },
                         .known = [this] { return m_opening.known(m_parts.runs->catalogue()); }},
                        m_actions.view, *this);
    m_compareRuns->setParent(this);
    connect(m_actions.file.caches, &QAction::triggered, this, [this] {
        auto* caches = new CacheDialog(m_options.paths.workerCache, this);
        caches->setAttribute(Qt::WA_DeleteOnClose);
        caches->open();
    });
    m_parts.answer->offerSettling(m_actions.run.settle);
    m_parts.table->addCellAction(m_actions.run.bringForward);
}

void MainWindow::startWhenReady()
{
    m_startWhenReady = !m_parts.plan->canRun();
    if (!m_startWhenReady)
        m_parts.plan->run();
}

void MainWindow::beginWithView(const QString& name)
{
    showView(name);
    m_viewIsAsked = !name.isEmpty();
}

void MainWindow::showFault(const QString& problem)
{
    m_messages.showProblem(tr("Error"), problem);
}

bool MainWindow::isSettled() const
{
    const widgets::DraftPlan& plan = m_parts.plan->planned();
    const bool planned =
        plan.plan().has_value() || !plan.problem().isEmpty() || m_draft.name().isEmpty();
    return m_engine.state().kind != widgets::EngineState::Kind::Looking && planned &&
           !m_opening.isLoading() && !m_runHere->isPlanning() && !m_parts.runs->isBusy() &&
           !m_controller.isRunning() && !m_startWhenReady && m_parts.plan->isSettled() &&
           !m_parts.layers->isLoading() && !m_parts.compare->isBusy() && !m_exports->isWriting() &&
           !m_items.isReading() && !m_flow.isReading() && !m_flow.isEnding() &&
           !m_compareRuns->isBusy() && !m_layerSearch->isSearching() && m_parts.curves->isDrawn();
}

void MainWindow::repeatRun(const core::RunData& data)
{
    m_draft.take(adaptPreset(data.plan.preset, m_engine.state().devices));
}

void MainWindow::startRun(const core::Plan& plan)
{
    // Where another run goes on this one waits, and there is nothing of it to be seen.
    if (!m_controller.isRunning() && m_parts.tabs->currentWidget() == m_parts.runs)
        showView(QStringLiteral("curves"));
    m_flow.start(plan);
}

void MainWindow::offerRunHere()
{
    const bool elsewhere =
        m_opening.isExample() && m_engine.state().kind == widgets::EngineState::Kind::Ready;
    m_runHere->offer(elsewhere ? std::optional(m_store.data().plan.preset) : std::nullopt,
                     m_engine.state().devices);
}

void MainWindow::showRunHere()
{
    const widgets::EngineState& engine = m_engine.state();
    QString obstacle = m_runHere->obstacle();
    if (m_controller.isRunning())
        obstacle = tr("A run is in progress");
    else if (engine.kind == widgets::EngineState::Kind::Missing)
        obstacle = engine.problem;
    m_parts.banner->setOffer(m_runHere->buttonText(), obstacle);
}

void MainWindow::selectAnswer()
{
    if (m_follow->isFollowing())
        m_parts.answer->selectFirst();
}

void MainWindow::checkPicture()
{
    auto* dialog =
        new CheckPictureDialog(m_options.paths, m_parts.plan->preset(), m_parts.plan->takesImages(),
                               m_engine.state().devices, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showHelp()
{
    // Asked before the window comes up: it takes the focus.
    const QString page = HelpWindow::pageOf(QApplication::focusWidget());
    if (m_help == nullptr)
        m_help = new HelpWindow(m_options.paths.resources / "help", this);
    m_help->showPage(page);
    m_help->show();
    m_help->raise();
}

void MainWindow::updateActions()
{
    const WindowFacts facts{
        .running = m_controller.isRunning(),
        .inView = m_controller.isInView(),
        .stopping = m_controller.isStopping(),
        .paused = m_controller.isPaused(),
        .engineReady = m_engine.state().kind == widgets::EngineState::Kind::Ready,
        .named = !m_draft.name().isEmpty(),
        .runnable = m_parts.plan->canRun(),
        .anyRun = !m_store.isEmpty(),
        .elsewhere = !m_parts.banner->isHidden(),
        .anyFailed = anyFailed(m_store.analysis()),
        .incomplete = lacksCells(m_store.data(), m_parts.answer->answer().found.progress),
        .cellSelected = !m_store.selectedCell().isEmpty()};
    m_parts.plan->setQueueing(facts.running);
    m_parts.plan->setAppendable(facts.appendable());
    m_parts.layers->sensitivity().setSearchPossible(facts.engineReady && facts.resumable());
    showRunHere();
    m_parts.runs->setRunning(facts.running ? m_controller.folder() : std::filesystem::path());
    enableActions(m_actions, facts);
    updateSettle();
}

void MainWindow::updateSettle()
{
    QString obstacle;
    if (m_controller.isRunning() && !m_controller.isInView())
        obstacle = tr("another run is in progress");
    else if (m_controller.isRunning() && m_controller.isStopping())
        obstacle = tr("the run is stopping");
    else if (!m_controller.isRunning() && !m_parts.banner->isHidden())
        obstacle = tr("this run was measured on another computer; run it here first");
    // Ten thousand cells are not looked through again for every change of the window.
    if (const auto now = std::pair(m_store.revision(), obstacle); m_settleShown != now) {
        m_settleShown = now;
        showOffer(settleOffer(m_store.data(), m_store.analysis(), obstacle), *m_actions.run.settle);
    }
}

void MainWindow::updateTitle()
{
    const QString& run = m_name.text();
    const QString draft = m_draft.name().isEmpty() ? tr("No preset") : m_draft.name();
    setWindowTitle(run.isEmpty() || run == m_draft.name()
                       ? tr("%1[*] — QuantScope").arg(draft)
                       : tr("Run: %1 — Draft: %2[*] — QuantScope").arg(run, draft));
}

void MainWindow::fillRecent()
{
    std::vector<NamedPath> presets;
    for (const QString& file : m_settings.recentPresets())
        presets.push_back({file, textOf(pathOf(file).filename())});
    fillWithPaths(*m_actions.file.recentPresets, presets,
                  [this](const QString& file) { openPreset(pathOf(file)); });
    fillWithPaths(*m_actions.file.recentRuns, recentRuns(m_settings),
                  [this](const QString& folder) { openRun(pathOf(folder)); });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller.isRunning()) {
        event->ignore();
        m_flow.askBeforeClosing();
        return;
    }
    saveLayout(*this, m_parts, m_settings);
    event->accept();
}

}  // namespace qs::app

#include "moc_main_window.cpp"
