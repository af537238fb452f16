#include "app/gui/window/run_flow.h"

#include "app/gui/new_run_folder.h"
#include "app/gui/path_text.h"
#include "app/gui/settle_offer.h"
#include "core/sweep/append_plan.h"

#include <QAction>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace qs::app {

RunFlow::RunFlow(const widgets::RunStore& store, RunController& controller, Messages& messages,
                 QWidget& window, std::filesystem::path runsFolder, const core::ProgramPaths& paths)
    : m_store(store),
      m_controller(controller),
      m_messages(messages),
      m_window(window),
      m_runsFolder(std::move(runsFolder)),
      m_agreement(store, controller, messages, window, paths.trustFile),
      m_programs(store, controller, messages, window, paths.programTrustFile)
{
    connect(&m_controller, &RunController::runFinished, this, &RunFlow::finish);
    connect(&m_store, &widgets::RunStore::analysed, this, [this] {
        if (std::exchange(m_isEnding, false))
            Q_EMIT ended();
    });
    connect(&m_queue, &RunQueue::startRequested, this, [this] { startNext(Show::Run); });
}

void RunFlow::connectActions(const RunActions& actions)
{
    const auto to = [this](const QAction* action, auto slot) {
        connect(action, &QAction::triggered, &m_controller, slot);
    };
    to(actions.pause, &RunController::setPaused);
    to(actions.skip, &RunController::skipCell);
    to(actions.stopAfterCell, &RunController::stopAfterCell);
    to(actions.stopNow, &RunController::stopNow);
    connect(actions.bringForward, &QAction::triggered, this,
            [this] { m_controller.bringForward(m_store.selectedCell()); });
    connect(actions.settle, &QAction::triggered, this, &RunFlow::settle);
    connect(actions.goOn, &QAction::triggered, this,
            [this] { resume(m_store.data().folder, false); });
    connect(actions.retryFailed, &QAction::triggered, this,
            [this] { resume(m_store.data().folder, true); });
}

void RunFlow::start(const core::Plan& plan)
{
    begin(plan, Show::Run);
}

void RunFlow::begin(const core::Plan& plan, Show show)
{
    if (m_controller.isRunning()) {
        m_queue.add(plan);
        return;
    }
    m_programs.ask(plan, [this, plan, show] { beginTrusted(plan, show); });
}

void RunFlow::beginTrusted(const core::Plan& plan, Show show)
{
    // Another run may have begun while this one was asked about.
    if (m_controller.isRunning()) {
        m_queue.add(plan);
        return;
    }
    const core::Result<std::filesystem::path> folder =
        newRunFolder(m_runsFolder, QString::fromStdString(plan.preset.name));
    if (!folder.ok()) {
        m_messages.showProblem(tr("Cannot start the run"),
                               QString::fromStdString(folder.error().message));
        return;
    }
    m_messages.notify({});
    Q_EMIT begun();
    m_controller.start(plan, folder.value(), show == Show::Run);
}

void RunFlow::startNext(Show show)
{
    if (m_controller.isRunning())
        return;
    if (const std::optional<core::Plan> next = m_queue.takeNext())
        begin(*next, show);
}

void RunFlow::append(const core::Plan& plan)
{
    // The session asks again, of the plan as it is then; the answer here comes at once.
    const core::Result<core::Plan> grown = core::appendPlan(m_store.data().plan, plan);
    if (!grown.ok())
        m_messages.showProblem(tr("Cannot append the sweep"),
                               QString::fromStdString(grown.error().message));
    else
        m_programs.ask(plan, [this, plan] { appendTrusted(plan); });
}

void RunFlow::appendTrusted(const core::Plan& plan)
{
    if (m_controller.isRunning())
        m_controller.append(plan);
    else
        m_agreement.ask(m_store.data().folder,
                        [this, plan, folder = m_store.data().folder](const auto& agreed) {
                            m_controller.append(plan, folder, agreed);
                        });
}

void RunFlow::settle()
{
    if (const auto addition = settleAddition(m_store.data(), m_store.analysis()))
        append(*addition);
}

void RunFlow::resume(const std::filesystem::path& folder, bool retryFailed)
{
    if (m_controller.isRunning())
        return;
    m_agreement.ask(folder, [this, folder, retryFailed](const auto& agreed) {
        m_programs.ask(folder, [this, folder, retryFailed, agreed] {
            m_messages.notify({});
            m_controller.resume(folder, retryFailed, agreed);
            Q_EMIT resumed();
        });
    });
}

void RunFlow::finish(const QString& error)
{
    if (!error.isEmpty())
        m_messages.notify(tr("The run ended with an error"));
    else if (m_controller.hasBegun() && !m_controller.isComplete())
        m_messages.notify(tr("Stopped after %1 of %2 measurements: %3")
                              .arg(m_controller.progress().done)
                              .arg(m_controller.progress().total)
                              .arg(textOf(m_controller.folder().filename())));
    else if (m_controller.hasBegun())
        m_messages.notify(tr("Finished: %1").arg(textOf(m_controller.folder())));
    else
        m_messages.notify(tr("Stopped before it started"));
    if (m_closeAfterRun) {
        m_window.close();
        return;
    }
    if (!error.isEmpty())
        m_messages.showProblem(tr("The run ended with an error"), error);
    // Brings the window to mind if the user is elsewhere.
    QApplication::alert(&m_window);
    // What is known of its last cells is asked about next.
    m_isEnding = !m_store.isAnalysed();
    if (!m_isEnding)
        Q_EMIT ended();
    // Whoever stops a run may want to look first: what waits begins by itself only after one that
    // came to its end.
    // Whoever looks at another run goes on with that.
    if (error.isEmpty() && m_controller.isComplete())
        QMetaObject::invokeMethod(
            this,
            [this, show = m_controller.endedInView() ? Show::Run : Show::WhatIsInView] {
                startNext(show);
            },
            Qt::QueuedConnection);
}

void RunFlow::askBeforeClosing()
{
    if (m_window.findChild<QMessageBox*>(QStringLiteral("closeQuestion")) != nullptr)
        return;
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("A run is in progress"),
                        tr("A run is in progress. Finished measurements are kept in any case."),
                        QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("closeQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* finish =
        box->addButton(tr("Finish this cell, then close"), QMessageBox::AcceptRole);
    finish->setObjectName(QStringLiteral("closeAfterCell"));
    QPushButton* now = box->addButton(tr("Stop now and close"), QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("closeNow"));
    box->setDefaultButton(finish);
    connect(finish, &QPushButton::clicked, this, [this] { closeAfterRun(false); });
    connect(now, &QPushButton::clicked, this, [this] { closeAfterRun(true); });
    // The run may end while the question is open: then there is nothing to ask any more.
    connect(&m_controller, &RunController::runFinished, box, &QMessageBox::reject);
    box->open();
}

void RunFlow::closeAfterRun(bool now)
{
    m_closeAfterRun = true;
    if (!m_controller.isRunning())
        m_window.close();
    else if (now)
        m_controller.stopNow();
    else
        m_controller.stopAfterCell();
}

}  // namespace qs::app

#include "moc_run_flow.cpp"
