#include "app/gui/main_window.h"

#include "app/gui/answer_bar.h"
#include "app/gui/dropped_item.h"
#include "app/gui/new_run_folder.h"
#include "app/gui/status_strip.h"
#include "core/sweep/preset.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/table/cell_table.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

constexpr int kMostLogLines = 5000;

std::filesystem::path pathOf(const QString& text)
{
    return text.toStdString();
}

QString textOf(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

bool hasGpu(const widgets::EngineState& engine)
{
    return std::any_of(engine.devices.begin(), engine.devices.end(),
                       [](const auto& device) { return device.kind == core::DeviceKind::Cuda; });
}

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
    restoreLayout();
    m_plan->setShippedPresets(widgets::listPresets(m_options.paths.presets));
    fillRecent();
    updateActions();
    updateTitle();
    updateStatus();
    connect(&m_engine, &EngineProbe::stateChanged, this, &MainWindow::showEngine);
    m_plan->setEngine(m_engine.state());
    m_engine.start(m_options.paths.worker);
}

MainWindow::~MainWindow() = default;

void MainWindow::build()
{
    m_plan = new widgets::PlanPanel(m_options.paths.resources, core::makePlan, this);
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
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(kMostLogLines);
    m_log->setPlaceholderText(tr("What workers write appears here"));
    m_log->hide();
    auto* vertical = new QSplitter(Qt::Vertical, this);
    vertical->addWidget(m_splitter);
    vertical->addWidget(m_log);
    vertical->setStretchFactor(0, 5);
    vertical->setStretchFactor(1, 1);
    vertical->setChildrenCollapsible(false);

    const auto limit = static_cast<QualityLimit>(std::clamp(
        m_settings.qualityLimit(int(QualityLimit::Ssim99)), 0, int(QualityLimit::Ssim99)));
    m_answer = new AnswerBar(m_store, limit, this);
    m_status = new StatusStrip(this);
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(6, 6, 6, 4);
    layout->addWidget(m_answer);
    layout->addWidget(vertical, 1);
    layout->addWidget(m_status);
    setCentralWidget(content);
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

void MainWindow::openPreset(const std::filesystem::path& path)
{
    const core::Result<core::Preset> preset = core::readPreset(path);
    if (!preset.ok()) {
        showProblem(tr("The preset cannot be opened"),
                    QString::fromStdString(preset.error().message));
        return;
    }
    m_firstPreset = false;
    m_presetName = QString::fromStdString(preset.value().name);
    m_plan->setPreset(preset.value(), path);
    m_settings.addRecentPreset(textOf(path));
    fillRecent();
    setWindowModified(false);
    updateTitle();
    updateActions();
}

void MainWindow::openFirstPreset()
{
    const char* name = hasGpu(m_engine.state()) ? "demo_gpu.json" : "demo_cpu.json";
    const std::filesystem::path path = m_options.paths.presets / "quick_start" / name;
    const core::Result<core::Preset> preset = core::readPreset(path);
    // An installation without presets starts with an empty draft, not with an error.
    if (!preset.ok())
        return;
    m_presetName = QString::fromStdString(preset.value().name);
    m_plan->setPreset(preset.value(), path);
    m_firstPreset = true;
    updateTitle();
    updateActions();
}

void MainWindow::openRun(const std::filesystem::path& folder)
{
    if (m_controller.isRunning())
        return;
    m_loader.load(folder);
    m_notice = tr("Opening %1…").arg(textOf(folder));
    updateStatus();
}

void MainWindow::openItem(const std::filesystem::path& path)
{
    switch (classifyItem(path)) {
    case DroppedItem::Preset:
        openPreset(path);
        return;
    case DroppedItem::RunFolder:
        openRun(path);
        return;
    case DroppedItem::Model:
        m_plan->setModel(textOf(path));
        return;
    case DroppedItem::Pictures:
        m_plan->setPictureSource(textOf(path));
        return;
    case DroppedItem::Unknown:
        break;
    }
    showProblem(tr("This cannot be opened"), tr("%1 is neither a preset (.json), a run folder, a "
                                                "model (.safetensors or a folder with some) nor "
                                                "pictures (PNG, JPEG or a folder with some).")
                                                 .arg(textOf(path)));
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
}

bool MainWindow::isSettled() const
{
    const bool planned = m_plan->plan().has_value() || m_presetName.isEmpty();
    return m_engine.state().kind != widgets::EngineState::Kind::Looking && planned &&
           !m_loader.isLoading() && !m_controller.isRunning() && !m_startWhenReady &&
           !m_compare->isBusy() && m_exports == 0;
}

void MainWindow::showEngine()
{
    m_plan->setEngine(m_engine.state());
    if (m_firstPreset && hasGpu(m_engine.state()))
        openFirstPreset();
    updateStatus();
}

void MainWindow::startRun(const core::Plan& plan)
{
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
    if (m_closeAfterRun) {
        close();
        return;
    }
    if (!error.isEmpty())
        showProblem(tr("The run ended with an error"), error);
    // The analysis of the last rows is already queued; the answer is known after it.
    QMetaObject::invokeMethod(this, &MainWindow::selectAnswerIfNothingIs, Qt::QueuedConnection);
}

void MainWindow::runLoaded(const std::shared_ptr<core::RunData>& data)
{
    if (m_controller.isRunning())
        return;
    m_notice = tr("Opened %1").arg(textOf(data->folder));
    m_settings.addRecentRun(textOf(data->folder));
    m_store.setRun(std::move(*data));
    fillRecent();
    updateTitle();
    updateActions();
    updateStatus();
    selectAnswerIfNothingIs();
}

void MainWindow::selectAnswerIfNothingIs()
{
    if (m_store.selectedCell().isEmpty())
        m_answer->selectAnswer();
}

void MainWindow::presetEdited()
{
    m_firstPreset = false;
    setWindowModified(true);
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            openItem(pathOf(url.toLocalFile()));
    }
    event->acceptProposedAction();
}

}  // namespace qs::app
