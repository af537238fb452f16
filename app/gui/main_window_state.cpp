#include "app/gui/main_window.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/settle_offer.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_panel.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>

// What the window says about its state: actions, title, status, recent files.
namespace qs::app {

namespace {

bool anyFailed(const core::Analysis& analysis)
{
    using core::CellStatus;
    return std::any_of(analysis.cells.begin(), analysis.cells.end(), [](const auto& cell) {
        return cell.status != CellStatus::Ok && cell.status != CellStatus::Cancelled &&
               cell.status != CellStatus::Skipped;
    });
}

}  // namespace

void MainWindow::updateActions()
{
    const bool running = m_controller.isRunning();
    const bool stopping = m_controller.isStopping();
    m_actions.run->setEnabled(m_plan->canRun());
    // Beside a run it would spoil what is being timed.
    m_actions.checkPicture->setEnabled(!running &&
                                       m_engine.state().kind == widgets::EngineState::Kind::Ready);
    m_actions.pause->setEnabled(running && !stopping);
    m_actions.pause->setChecked(m_controller.isPaused());
    m_actions.skip->setEnabled(running && !stopping);
    m_actions.stopAfterCell->setEnabled(running && !stopping);
    m_actions.stopNow->setEnabled(running);
    m_actions.openRun->setEnabled(!running);
    m_actions.recentRuns->setEnabled(!running && !m_actions.recentRuns->isEmpty());
    m_actions.recentPresets->setEnabled(!m_actions.recentPresets->isEmpty());
    m_actions.savePreset->setEnabled(!m_presetName.isEmpty());
    const bool any = !m_store.isEmpty();
    for (QAction* action : {m_actions.exportTables, m_actions.exportReport, m_actions.exportCurves,
                            m_actions.exportCurvesColumn})
        action->setEnabled(any);
    m_actions.exportPictures->setEnabled(any && !m_store.selectedCell().isEmpty());
    m_plan->setQueueing(running);
    m_banner->setBlocked(running ? tr("A run is going on") : QString());
    m_runs->setRunning(running);
    const bool ours = any && !running && m_banner->isHidden();
    m_actions.goOn->setEnabled(ours);
    m_plan->setAppendable(ours || (running && !stopping && any));
    m_actions.append->setEnabled(m_plan->isAppendable() && m_plan->canRun());
    updateSettle();
    m_actions.bringForward->setEnabled(running && !stopping && !m_store.selectedCell().isEmpty());
    m_actions.retryFailed->setEnabled(ours && anyFailed(m_store.analysis()));
}

void MainWindow::updateSettle()
{
    QString obstacle;
    if (m_controller.isRunning() && m_controller.isStopping())
        obstacle = tr("the run is being stopped");
    else if (!m_controller.isRunning() && !m_banner->isHidden())
        obstacle = tr("this run was measured elsewhere; run it here first");
    const SettleOffer offer = settleOffer(m_store.data(), m_store.analysis(), obstacle);
    m_actions.settle->setEnabled(offer.possible);
    m_actions.settle->setText(offer.text);
    m_actions.settle->setIconText(offer.shortText);
    m_actions.settle->setToolTip(widgets::plainTip(offer.toolTip));
    m_actions.settle->setStatusTip(offer.toolTip);
}

void MainWindow::updateTitle()
{
    const QString run =
        m_store.isEmpty() ? QString() : QString::fromStdString(m_store.data().plan.preset.name);
    const QString draft = m_presetName.isEmpty() ? tr("No preset") : m_presetName;
    setWindowTitle(run.isEmpty() || run == m_presetName
                       ? tr("%1[*] — QuantScope").arg(draft)
                       : tr("Run: %1 — Draft: %2[*] — QuantScope").arg(run, draft));
}

void MainWindow::updateStatus()
{
    if (m_controller.isRunning()) {
        const core::RunProgress& progress = m_controller.progress();
        const core::PlannedCell* cell = m_store.data().plan.find(progress.cellId);
        m_status->showProgress(progress,
                               cell == nullptr ? QString() : widgets::cellTitle(cell->config),
                               m_controller.isStopping());
        m_silent->showProgress(
            progress, cell == nullptr ? QString() : QString::fromStdString(cell->config.compile));
        return;
    }
    m_silent->clear();
    const widgets::EngineState& engine = m_engine.state();
    QStringList parts;
    if (!m_notice.isEmpty())
        parts << m_notice;
    parts << (engine.kind == widgets::EngineState::Kind::Ready
                  ? engine.version
                  : engine.problem.section(QLatin1Char('\n'), 0, 0));
    m_status->showIdle(parts.join(QStringLiteral(" · ")));
}

void MainWindow::fillRecent()
{
    const auto fill = [this](QMenu* menu, const QStringList& paths, auto open) {
        menu->clear();
        for (const QString& path : paths) {
            QAction* action = menu->addAction(QFileInfo(path).fileName());
            action->setToolTip(widgets::plainTip(path));
            connect(action, &QAction::triggered, this, [open, path] { open(path); });
        }
        menu->setToolTipsVisible(true);
    };
    m_plan->setRecentModels(m_settings.recentModels());
    fill(m_actions.recentPresets, m_settings.recentPresets(),
         [this](const QString& path) { openPreset(path.toStdString()); });
    fill(m_actions.recentRuns, m_settings.recentRuns(),
         [this](const QString& path) { openRun(path.toStdString()); });
}

}  // namespace qs::app
