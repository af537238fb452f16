#include "app/gui/main_window.h"

#include "app/gui/answer_bar.h"
#include "app/gui/detail_windows.h"
#include "app/gui/exports.h"
#include "app/gui/help/help_window.h"
#include "app/gui/new_run_folder.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/settle_offer.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "app/gui/telemetry_strip.h"
#include "core/sweep/append_plan.h"
#include "widgets/compare/compare_view.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/table/cell_table.h"

#include <QApplication>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

constexpr int kMostLogLines = 5000;

}  // namespace

MainWindow::MainWindow(WindowOptions options)
    : m_options(std::move(options)),
      m_settings(m_options.settingsFile),
      m_controller(m_options.paths, m_store)
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    if (m_options.runsFolder.empty())
        m_options.runsFolder = m_settings.runsFolder();
    m_actions = makeActions(*this);
    build();
    connectActions();
    connectExports();
    connectRun();
    connectRuns();
    connectPlan();
    restoreLayout();
    fillRecent();
    updateActions();
    updateTitle();
    updateStatus();
    connect(&m_engine, &EngineProbe::stateChanged, this, &MainWindow::showEngine);
    m_plan->setEngine(m_engine.state());
    // The worker reads hundreds of megabytes of libraries: the window is painted first.
    QTimer::singleShot(0, this, [this] { m_engine.start(m_options.paths.worker); });
}

MainWindow::~MainWindow() = default;

void MainWindow::build()
{
    m_plan = new widgets::PlanPanel(m_options.paths.resources, core::makePlan, this);
    m_plan->setRunsFolder(m_options.runsFolder);
    m_compare = new widgets::CompareView(m_store, this);
    m_compare->setObjectName(QStringLiteral("compareView"));
    connect(m_compare, &widgets::CompareView::roomWanted, this, [this](bool wanted) {
        m_plan->setVisible(!wanted);
        m_tabs->setVisible(!wanted);
    });
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->addWidget(m_plan);
    m_splitter->addWidget(buildCentre());
    m_splitter->addWidget(m_compare);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setStretchFactor(2, 2);

    m_log = new QPlainTextEdit(this);
    m_log->setObjectName(QStringLiteral("log"));
    m_log->setAccessibleName(tr("Log of the worker"));
    m_log->setToolTip(tr("What the workers of this run write, newest below"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(kMostLogLines);
    m_log->setPlaceholderText(tr("What workers write appears here"));
    m_log->hide();
    auto* vertical = new QSplitter(Qt::Vertical, this);
    vertical->addWidget(m_splitter);
    vertical->addWidget(m_log);
    vertical->setStretchFactor(0, 5);
    vertical->setStretchFactor(1, 1);
    vertical->setChildrenCollapsible(false);

    m_answer = new AnswerBar(m_store, m_settings.answerQuestion(), this);
    m_status = new StatusStrip(this);
    m_status->addPart(m_queue.makeButton(m_status));
    m_status->addPart(new TelemetryStrip(m_options.nvmlLibrary, m_status));
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->addWidget(m_answer);
    m_banner = new ExampleBanner(this);
    layout->addWidget(m_banner);
    layout->addWidget(vertical, 1);
    m_silent = new SilentPhaseBar(this);
    layout->addWidget(m_silent);
    layout->addWidget(m_status);
    setCentralWidget(content);
    const std::pair<QWidget*, const char*> pages[] = {
        {m_layers, "sweep"}, {m_plan, "sweep"},      {m_curves, "curves"},
        {m_table, "table"},  {m_compare, "compare"}, {m_answer, "answer"},
        {m_runs, "runs"},    {m_status, "running"},  {m_log, "running"}};
    for (const auto& [widget, page] : pages)
        HelpWindow::setPageOf(*widget, QString::fromLatin1(page));
    m_exports = new Exports({.store = m_store, .curves = *m_curves, .pictures = *m_compare},
                            m_actions, *this);
    m_exports->setParent(this);
    auto* details = new DetailWindows({.store = m_store,
                                       .table = *m_table,
                                       .pictures = *m_compare,
                                       .otherRuns = [this] { return otherRuns(); }},
                                      m_actions, *this);
    details->setParent(this);
}

QWidget* MainWindow::buildCentre()
{
    m_tabs = new QTabWidget(this);
    m_tabs->setObjectName(QStringLiteral("viewTabs"));
    m_tabs->setDocumentMode(true);
    m_curves = new widgets::CurveView(m_store, m_tabs);
    m_table = new widgets::CellTable(m_store, m_tabs);
    m_tabs->addTab(m_curves, tr("Curves"));
    m_tabs->addTab(m_table, tr("Table"));
    m_layers = new widgets::LayersView(m_tabs);
    m_tabs->addTab(m_layers, tr("Layers"));
    m_runs = new RunsPage(m_options.runsFolder, examplesFolder(), m_tabs);
    m_tabs->addTab(m_runs, tr("Runs"));
    return m_tabs;
}

void MainWindow::restoreLayout()
{
    const QSize screen = QGuiApplication::primaryScreen()->availableSize();
    resize(std::min(1600, screen.width() * 9 / 10), std::min(950, screen.height() * 9 / 10));
    m_splitter->setSizes({width() * 22 / 100, width() * 44 / 100, width() * 34 / 100});
    if (const QByteArray geometry = m_settings.geometry(); !geometry.isEmpty())
        restoreGeometry(geometry);
    if (const QByteArray state = m_settings.splitterState(); !state.isEmpty())
        m_splitter->restoreState(state);
    if (const QByteArray state = m_settings.columnState(); !state.isEmpty())
        static_cast<void>(m_table->restoreColumnState(state));
}

void MainWindow::saveLayout()
{
    // A comparison that has all the room for the moment is no layout to come back to.
    m_compare->setWantsRoom(false);
    m_settings.setGeometry(saveGeometry());
    m_settings.setSplitterState(m_splitter->saveState());
    m_settings.setColumnState(m_table->columnState());
}

void MainWindow::startWhenReady()
{
    m_startWhenReady = true;
    if (m_plan->canRun()) {
        m_startWhenReady = false;
        m_plan->run();
    }
}

void MainWindow::showView(const QString& name)
{
    if (name == QStringLiteral("curves"))
        m_tabs->setCurrentWidget(m_curves);
    else if (name == QStringLiteral("table"))
        m_tabs->setCurrentWidget(m_table);
    else if (name == QStringLiteral("layers"))
        m_tabs->setCurrentWidget(m_layers);
    else if (name == QStringLiteral("runs"))
        m_tabs->setCurrentWidget(m_runs);
}

bool MainWindow::isSettled() const
{
    const bool planned =
        m_plan->plan().has_value() || !m_plan->planProblem().isEmpty() || m_presetName.isEmpty();
    return m_engine.state().kind != widgets::EngineState::Kind::Looking && planned &&
           !m_loader.isLoading() && !m_repeated.isLoading() && !m_runs->catalogue().isReading() &&
           !m_controller.isRunning() && !m_startWhenReady && m_plan->isSettled() &&
           !m_layers->isLoading() && !m_compare->isBusy() && !m_exports->isWriting() &&
           m_picturesRead == 0 && m_plansRead == 0;
}

void MainWindow::showEngine()
{
    m_plan->setEngine(m_engine.state());
    if (m_firstPreset && m_engine.state().hasGpu())
        openFirstPreset();
    updateStatus();
}

void MainWindow::startRun(const core::Plan& plan)
{
    if (m_controller.isRunning()) {
        m_queue.add(plan);
        return;
    }
    const core::Result<std::filesystem::path> folder =
        newRunFolder(m_options.runsFolder, QString::fromStdString(plan.preset.name));
    if (!folder.ok()) {
        showProblem(tr("The run cannot be started"),
                    QString::fromStdString(folder.error().message));
        return;
    }
    m_log->clear();
    m_notice.clear();
    m_controller.start(plan, folder.value());
}

void MainWindow::appendToRun(const core::Plan& plan)
{
    // The session asks again, of the plan as it is then; the answer here comes at once.
    const core::Result<core::Plan> grown = core::appendPlan(m_store.data().plan, plan);
    if (!grown.ok()) {
        showProblem(tr("The sweep cannot be appended"),
                    QString::fromStdString(grown.error().message));
        return;
    }
    if (m_controller.isRunning())
        m_controller.append(plan);
    else
        askForPaths(m_store.data().folder,
                    [this, plan, folder = m_store.data().folder](const auto& agreed) {
                        m_controller.append(plan, folder, agreed);
                    });
}

void MainWindow::settle()
{
    if (const auto addition = settleAddition(m_store.data(), m_store.analysis()))
        appendToRun(*addition);
}

void MainWindow::runPlanned()
{
    m_settings.addRecentRun(textOf(m_controller.folder()));
    fillRecent();
    updateTitle();
    updateActions();
}

void MainWindow::runFinished(const QString& error)
{
    if (!error.isEmpty())
        m_notice = tr("The run ended with an error");
    else if (m_controller.hasBegun())
        m_notice = tr("Finished: %1").arg(textOf(m_controller.folder()));
    else
        m_notice = tr("Stopped before it began");
    updateStatus();
    if (m_runs->isVisible())
        m_runs->refresh();
    if (m_closeAfterRun) {
        close();
        return;
    }
    if (!error.isEmpty())
        showProblem(tr("The run ended with an error"), error);
    // Brings the window to mind if the user is elsewhere.
    QApplication::alert(this);
    // The analysis of the last rows is already queued; the answer is known after it.
    QMetaObject::invokeMethod(this, &MainWindow::selectAnswerIfNothingIs, Qt::QueuedConnection);
    // Whoever stops a run may want to look first: what waits begins by itself only after one that
    // came to its end.
    const auto& events = m_store.data().events;
    if (error.isEmpty() && !events.empty() && events.back().kind == "complete")
        QMetaObject::invokeMethod(this, &MainWindow::startNext, Qt::QueuedConnection);
}

void MainWindow::startNext()
{
    if (m_controller.isRunning())
        return;
    if (const std::optional<core::Plan> next = m_queue.takeNext())
        startRun(*next);
}

void MainWindow::selectAnswerIfNothingIs()
{
    if (m_store.selectedCell().isEmpty())
        m_answer->selectAnswer();
}

void MainWindow::presetEdited()
{
    m_firstPreset = false;
    // Undo may have brought another preset back.
    m_presetName = QString::fromStdString(m_plan->preset().name);
    setWindowModified(true);
    updateTitle();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_actions.pause != nullptr)
        paintIcons(m_actions, palette());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller.isRunning()) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    saveLayout();
    event->accept();
}

}  // namespace qs::app
