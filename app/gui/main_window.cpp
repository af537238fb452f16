#include "app/gui/main_window.h"

#include "app/gui/answer_bar.h"
#include "app/gui/check_picture_dialog.h"
#include "app/gui/detail_windows.h"
#include "app/gui/exports.h"
#include "app/gui/file_dialog.h"
#include "app/gui/help/help_window.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/adapt_preset.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/run_here.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/settle_offer.h"
#include "app/gui/status_strip.h"
#include "app/gui/telemetry_strip.h"
#include "app/gui/window/action_states.h"
#include "app/gui/window/plan_drawer.h"
#include "widgets/compare/compare_view.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/table/cell_table.h"

#include <QAction>
#include <QApplication>
#include <QPlainTextEdit>
#include <QTimer>

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
      m_controller(m_options.paths, m_store),
      m_messages(*this),
      m_parts(makeParts(
          *this, m_store, m_settings,
          {m_options.paths.resources, examplesIn(m_options.paths), m_options.runsFolder})),
      m_draft(*m_parts.plan, m_settings, m_messages, *this, m_options.paths.presets),
      m_flow(m_store, m_controller, m_messages, *this, m_options.runsFolder,
             m_options.paths.trustFile),
      m_opening(m_store, m_controller, m_settings, m_messages, examplesIn(m_options.paths)),
      m_items(m_draft, m_opening, *m_parts.plan, m_messages, *this),
      m_status(m_store, m_controller, m_engine, m_messages, m_parts)
{
    setObjectName(QStringLiteral("mainWindow"));
    m_actions = makeActions(*this);
    addServices();
    connectFileActions();
    connectViews(*this, m_actions.view, m_parts, m_settings);
    connectRunActions();
    connectRun();
    connectFlows();
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
    m_parts.status->addPart(new TelemetryStrip(m_options.nvmlLibrary, m_parts.status));
    m_exports =
        new Exports({.store = m_store, .curves = *m_parts.curves, .pictures = *m_parts.compare},
                    m_actions.exports, *this);
    m_exports->setParent(this);
    m_runHere = new RunHere(*this, m_options.paths.resources);
    m_runHere->setParent(this);
    auto* details = new DetailWindows(
        {.store = m_store,
         .table = *m_parts.table,
         .pictures = *m_parts.compare,
         .otherRuns = [this] { return m_opening.known(m_parts.runs->catalogue()); }},
        m_actions.view, *this);
    details->setParent(this);
    m_parts.answer->offerSettling(m_actions.run.settle);
    m_parts.table->addCellAction(m_actions.run.bringForward);
}

void MainWindow::connectFileActions()
{
    const FileActions& actions = m_actions.file;
    connect(actions.openPreset, &QAction::triggered, &m_draft, &DraftFlow::askAndOpen);
    connect(actions.savePreset, &QAction::triggered, &m_draft, &DraftFlow::askAndSave);
    connect(actions.openRun, &QAction::triggered, this, [this] {
        askForFile(*this,
                   {.name = "openRunDialog",
                    .title = tr("Open a run folder"),
                    .mode = QFileDialog::Directory},
                   [this](const QString& path) { openRun(pathOf(path)); });
    });
    connect(actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.view.help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(m_exports, &Exports::saved, &m_messages, &Messages::notify);
    connect(m_exports, &Exports::failed, this, [this](const QString& problem) {
        m_messages.showProblem(tr("Cannot write the file"), problem);
    });
}

void MainWindow::connectRunActions()
{
    const RunActions& actions = m_actions.run;
    widgets::PlanPanel* plan = m_parts.plan;
    connect(actions.start, &QAction::triggered, plan, &widgets::PlanPanel::run);
    connect(actions.append, &QAction::triggered, plan, &widgets::PlanPanel::append);
    connect(plan, &widgets::PlanPanel::runRequested, &m_flow, &RunFlow::start);
    connect(plan, &widgets::PlanPanel::appendRequested, &m_flow, &RunFlow::append);
    m_flow.connectActions(actions);
    connect(actions.checkPicture, &QAction::triggered, this, &MainWindow::checkPicture);
}

void MainWindow::connectRun()
{
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        m_parts.answer->setRunning(m_controller.isRunning());
        m_parts.curves->setRunning(m_controller.isRunning());
        updateActions();
    });
    connect(&m_controller, &RunController::planned, this, [this] {
        m_parts.drawer->setOpen(false);
        m_settings.addRecentRun(textOf(m_controller.folder()));
        fillRecent();
        updateTitle();
        updateActions();
    });
    connect(&m_controller, &RunController::runFinished, this, [this] {
        if (m_parts.runs->isVisible())
            m_parts.runs->refresh();
    });
    connect(&m_flow, &RunFlow::begun, m_parts.log, &QPlainTextEdit::clear);
    connect(&m_flow, &RunFlow::resumed, this, [this] { showView(QStringLiteral("curves")); });
    // The analysis of the last rows is already queued; the answer is known after it.
    connect(&m_flow, &RunFlow::ended, this, &MainWindow::selectAnswerIfNothingIs,
            Qt::QueuedConnection);
    connect(&m_store, &widgets::RunStore::selectionChanged, this, &MainWindow::updateActions);
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &MainWindow::updateActions,
            Qt::QueuedConnection);
    connect(&m_store, &widgets::RunStore::runReplaced, this, [this] {
        m_parts.banner->showRun(m_store.data(), m_opening.isExample());
        offerRunHere();
    });
}

void MainWindow::connectFlows()
{
    using widgets::PlanPanel;
    connect(&m_messages, &Messages::problemShown, this, &MainWindow::problemShown);
    connect(&m_draft, &DraftFlow::changed, this, [this] {
        updateTitle();
        updateActions();
    });
    // Whoever brings a sweep or a part of one wants to see it.
    const auto openPlan = [this] { m_parts.drawer->setOpen(true); };
    connect(&m_draft, &DraftFlow::brought, this, openPlan);
    connect(&m_parts.plan->draft(), &widgets::SweepDraft::edited, this, openPlan);
    connect(&m_draft, &DraftFlow::recentChanged, this, &MainWindow::fillRecent);
    connect(m_parts.answer, &AnswerBar::questionChanged, this,
            [this](const core::AnswerQuestion& asked) { m_settings.setAnswerQuestion(asked); });
    connect(&m_engine, &EngineProbe::stateChanged, this, [this] {
        m_parts.plan->setEngine(m_engine.state());
        offerRunHere();
        if (m_draft.isFirst() && m_engine.state().hasGpu())
            openFirstPreset();
    });
    PlanPanel* plan = m_parts.plan;
    connect(&plan->planned(), &widgets::DraftPlan::planned, this, [this] {
        updateActions();
        if (m_startWhenReady)
            startWhenReady();
    });
    connect(plan, &PlanPanel::modelInspected, m_parts.layers, &widgets::LayersView::setModel);
    for (const auto draftShown : {&widgets::SweepDraft::edited, &widgets::SweepDraft::shown})
        connect(&plan->draft(), draftShown, m_parts.layers,
                [this] { m_parts.layers->setPreset(m_parts.plan->preset()); });
}

void MainWindow::connectRuns()
{
    connect(&m_opening, &RunOpening::opened, this, [this] {
        m_parts.drawer->setOpen(false);
        fillRecent();
        updateTitle();
        updateActions();
        // The answer bar hears of the run in an event of its own, which is queued already.
        QMetaObject::invokeMethod(this, &MainWindow::selectAnswerIfNothingIs, Qt::QueuedConnection);
    });
    connect(&m_opening, &RunOpening::repeatWanted, this, &MainWindow::repeatRun);
    connect(m_parts.runs, &RunsPage::openRequested, this, [this](const QString& folder) {
        openRun(pathOf(folder));
        showView(QStringLiteral("curves"));
    });
    connect(m_parts.runs, &RunsPage::resumeRequested, this,
            [this](const QString& folder) { m_flow.resume(pathOf(folder), false); });
    connect(m_parts.runs, &RunsPage::repeatRequested, this,
            [this](const QString& folder) { m_opening.readForRepeat(pathOf(folder)); });
    connect(m_parts.banner, &ExampleBanner::runHereRequested, m_runHere, &RunHere::ask);
    connect(m_runHere, &RunHere::runRequested, &m_flow, &RunFlow::start);
    connect(m_runHere, &RunHere::offerChanged, this, &MainWindow::showRunHere);
}

void MainWindow::startWhenReady()
{
    m_startWhenReady = !m_parts.plan->canRun();
    if (!m_startWhenReady)
        m_parts.plan->run();
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
           !m_opening.isLoading() && !m_runHere->isPlanning() &&
           !m_parts.runs->catalogue().isReading() && !m_controller.isRunning() &&
           !m_startWhenReady && m_parts.plan->isSettled() && !m_parts.layers->isLoading() &&
           !m_parts.compare->isBusy() && !m_exports->isWriting() && !m_items.isReading() &&
           !m_flow.isReading();
}

void MainWindow::repeatRun(const core::RunData& data)
{
    m_draft.take(adaptPreset(data.plan.preset, m_engine.state().devices));
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

void MainWindow::selectAnswerIfNothingIs()
{
    if (m_store.selectedCell().isEmpty())
        m_parts.answer->selectFirst();
}

void MainWindow::checkPicture()
{
    auto* dialog = new CheckPictureDialog(m_options.paths, m_parts.plan->preset(),
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
    const WindowFacts facts{.running = m_controller.isRunning(),
                            .stopping = m_controller.isStopping(),
                            .paused = m_controller.isPaused(),
                            .engineReady =
                                m_engine.state().kind == widgets::EngineState::Kind::Ready,
                            .named = !m_draft.name().isEmpty(),
                            .runnable = m_parts.plan->canRun(),
                            .anyRun = !m_store.isEmpty(),
                            .elsewhere = !m_parts.banner->isHidden(),
                            .anyFailed = anyFailed(m_store.analysis()),
                            .cellSelected = !m_store.selectedCell().isEmpty()};
    m_parts.plan->setQueueing(facts.running);
    m_parts.plan->setAppendable(facts.appendable());
    showRunHere();
    m_parts.runs->setRunning(facts.running);
    enableActions(m_actions, facts);
    updateSettle();
}

void MainWindow::updateSettle()
{
    QString obstacle;
    if (m_controller.isRunning() && m_controller.isStopping())
        obstacle = tr("the run is stopping");
    else if (!m_controller.isRunning() && !m_parts.banner->isHidden())
        obstacle = tr("this run was measured on another computer; run it here first");
    showOffer(settleOffer(m_store.data(), m_store.analysis(), obstacle), *m_actions.run.settle);
}

void MainWindow::updateTitle()
{
    const QString run =
        m_store.isEmpty() ? QString() : QString::fromStdString(m_store.data().plan.preset.name);
    const QString draft = m_draft.name().isEmpty() ? tr("No preset") : m_draft.name();
    setWindowTitle(run.isEmpty() || run == m_draft.name()
                       ? tr("%1[*] — QuantScope").arg(draft)
                       : tr("Run: %1 — Draft: %2[*] — QuantScope").arg(run, draft));
}

void MainWindow::fillRecent()
{
    fillWithPaths(*m_actions.file.recentPresets, m_settings.recentPresets(),
                  [this](const QString& file) { openPreset(pathOf(file)); });
    fillWithPaths(*m_actions.file.recentRuns, m_settings.recentRuns(),
                  [this](const QString& folder) { openRun(pathOf(folder)); });
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_actions.run.pause != nullptr)
        paintIcons(m_actions.run, palette());
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
