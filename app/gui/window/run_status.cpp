#include "app/gui/window/run_status.h"

#include "app/gui/live_strip.h"
#include "app/gui/runs/run_summary.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"

#include <QPlainTextEdit>

namespace qs::app {

RunStatus::RunStatus(const RunName& inView, RunController& controller, const EngineProbe& engine,
                     const Messages& messages, const WindowParts& parts)
    : m_inView(inView),
      m_controller(controller),
      m_engine(engine),
      m_messages(messages),
      m_parts(parts)
{
    connect(&controller, &RunController::started, this, [this] { m_labelled = 0; });
    connect(&inView, &RunName::changed, this, &RunStatus::update);
    connect(&controller, &RunController::stateChanged, this, &RunStatus::update);
    connect(&controller, &RunController::progressChanged, this, &RunStatus::update);
    connect(&controller, &RunController::linesLogged, this, [this](const QStringList& lines) {
        m_parts.log->appendPlainText(lines.join(QLatin1Char('\n')));
    });
    connect(&engine, &EngineProbe::stateChanged, this, &RunStatus::update);
    connect(&messages, &Messages::noticeChanged, this, &RunStatus::update);
    const auto* silent = m_parts.silent;
    connect(silent, &SilentPhaseBar::skipCellRequested, &controller, &RunController::skipCell);
    connect(silent, &SilentPhaseBar::skipCompileModeRequested, &controller,
            &RunController::skipCompileMode);
}

void RunStatus::readRun()
{
    const core::Plan& plan = m_controller.plan();
    if (plan.cells.size() == m_labelled)
        return;
    m_labelled = plan.cells.size();
    m_labels = core::distinguish(plan.cells);
    m_parts.live->setRun(runName(m_controller.folder(), QString::fromStdString(plan.preset.name)),
                         m_labels);
}

void RunStatus::showRunning()
{
    readRun();
    const core::RunProgress& progress = m_controller.progress();
    const core::PlannedCell* cell = m_controller.plan().find(progress.cellId);
    m_parts.status->showProgress(
        progress, cell == nullptr ? QString() : QString::fromStdString(m_labels.withBatch(*cell)),
        m_controller.isStopping(), m_controller.isPaused());
    m_parts.live->showProgress(progress, cell,
                               m_controller.isInView() ? QString() : m_inView.text());
    m_parts.live->show();
    m_parts.silent->showProgress(
        progress, cell == nullptr ? QString() : QString::fromStdString(cell->config.compile));
}

void RunStatus::update()
{
    if (m_controller.isRunning()) {
        showRunning();
        return;
    }
    m_parts.silent->clear();
    m_parts.live->hide();
    const widgets::EngineState& engine = m_engine.state();
    QStringList parts;
    if (!m_messages.notice().isEmpty())
        parts << m_messages.notice();
    parts << (engine.kind == widgets::EngineState::Kind::Ready
                  ? engine.version
                  : engine.problem.section(QLatin1Char('\n'), 0, 0));
    m_parts.status->showIdle(parts.join(QStringLiteral(" · ")));
}

}  // namespace qs::app

#include "moc_run_status.cpp"
