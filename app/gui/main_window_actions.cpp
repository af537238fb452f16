#include "app/gui/action_palette.h"
#include "app/gui/answer_bar.h"
#include "app/gui/check_picture_dialog.h"
#include "app/gui/exports.h"
#include "app/gui/file_dialog.h"
#include "app/gui/help/help_window.h"
#include "app/gui/main_window.h"
#include "app/gui/part_focus.h"
#include "app/gui/path_text.h"
#include "app/gui/silent_phase_bar.h"
#include "app/gui/status_strip.h"
#include "app/gui/theme.h"
#include "core/base/files.h"
#include "core/sweep/preset.h"
#include "widgets/compare/compare_view.h"
#include "widgets/layout/plain_box.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/table/cell_table.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include <utility>

namespace qs::app {

void MainWindow::connectActions()
{
    const auto askPreset = [this] {
        askForFile(*this,
                   {.name = "openPresetDialog",
                    .title = tr("Open a preset"),
                    .filter = tr("Presets (*.json)")},
                   [this](const QString& path) { openPreset(pathOf(path)); });
    };
    connect(m_actions.openPreset, &QAction::triggered, this, askPreset);
    connect(m_plan, &widgets::PlanPanel::openPresetRequested, this, askPreset);
    connect(m_plan, &widgets::PlanPanel::presetChosen, this,
            [this](const QString& path) { openPreset(pathOf(path)); });
    connect(m_plan, &widgets::PlanPanel::presetEdited, this, &MainWindow::presetEdited);
    connect(m_actions.openRun, &QAction::triggered, this, [this] {
        askForFile(*this,
                   {.name = "openRunDialog",
                    .title = tr("Open a run folder"),
                    .mode = QFileDialog::Directory},
                   [this](const QString& path) { openRun(pathOf(path)); });
    });
    connect(m_actions.savePreset, &QAction::triggered, this, [this] {
        askForFile(*this,
                   {.name = "savePresetDialog",
                    .title = tr("Save the preset"),
                    .filter = tr("Presets (*.json)"),
                    .mode = QFileDialog::AnyFile},
                   [this](const QString& path) { savePreset(path); });
    });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    const std::pair<QAction*, QString> views[] = {{m_actions.curves, QStringLiteral("curves")},
                                                  {m_actions.table, QStringLiteral("table")},
                                                  {m_actions.layers, QStringLiteral("layers")},
                                                  {m_actions.runs, QStringLiteral("runs")}};
    for (const auto& [action, view] : views)
        connect(action, &QAction::triggered, this, [this, view = view] {
            m_compare->setWantsRoom(false);
            showView(view);
            focusInto(*m_tabs->currentWidget());
        });
    connect(m_actions.comparison, &QAction::triggered, this, [this] { focusInto(*m_compare); });
    const auto focusPart = [this](bool forward) {
        focusNextPart({m_answer, m_plan, m_tabs->currentWidget(), m_compare}, forward);
    };
    connect(m_actions.nextPart, &QAction::triggered, this, [focusPart] { focusPart(true); });
    connect(m_actions.previousPart, &QAction::triggered, this, [focusPart] { focusPart(false); });
    connect(m_actions.palette, &QAction::triggered, this,
            [this] { (new ActionPalette(*menuBar(), this))->open(); });
    connect(m_actions.goOn, &QAction::triggered, this,
            [this] { resumeRun(m_store.data().folder, false); });
    connect(m_actions.retryFailed, &QAction::triggered, this,
            [this] { resumeRun(m_store.data().folder, true); });
    connect(m_actions.help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(m_actions.checkPicture, &QAction::triggered, this, &MainWindow::checkPicture);
    connect(m_actions.log, &QAction::toggled, m_log, &QWidget::setVisible);
    connect(m_actions.log, &QAction::toggled, m_status->logButton(), &QToolButton::setChecked);
    connect(m_status->logButton(), &QToolButton::toggled, m_actions.log, &QAction::setChecked);
    for (QAction* action : m_actions.themes->actions()) {
        action->setChecked(action->data().toInt() == int(m_settings.theme()));
        connect(action, &QAction::triggered, this,
                [this, action] { chooseTheme(static_cast<Theme>(action->data().toInt())); });
    }
    connect(
        m_answer, &AnswerBar::questionChanged, this,
        [this](const core::AnswerQuestion& question) { m_settings.setAnswerQuestion(question); });
}

void MainWindow::connectExports()
{
    connect(m_exports, &Exports::saved, this, [this](const QString& message) {
        m_notice = message;
        updateStatus();
    });
    connect(m_exports, &Exports::failed, this, [this](const QString& problem) {
        showProblem(tr("The file cannot be written"), problem);
    });
}

void MainWindow::connectRun()
{
    connect(m_plan, &widgets::PlanPanel::runRequested, this, &MainWindow::startRun);
    connect(m_plan, &widgets::PlanPanel::planChanged, this, [this] {
        updateActions();
        if (m_startWhenReady)
            startWhenReady();
    });
    connect(m_actions.run, &QAction::triggered, m_plan, &widgets::PlanPanel::run);
    connect(m_plan, &widgets::PlanPanel::appendRequested, this, &MainWindow::appendToRun);
    connect(m_actions.append, &QAction::triggered, m_plan, &widgets::PlanPanel::append);
    connect(m_actions.settle, &QAction::triggered, this, &MainWindow::settle);
    m_answer->offerSettling(m_actions.settle);
    connect(m_actions.bringForward, &QAction::triggered, this,
            [this] { m_controller.bringForward(m_store.selectedCell()); });
    m_table->addCellAction(m_actions.bringForward);
    connect(&m_queue, &RunQueue::startRequested, this, &MainWindow::startNext);
    connect(m_actions.pause, &QAction::triggered, &m_controller, &RunController::setPaused);
    connect(m_actions.skip, &QAction::triggered, &m_controller, &RunController::skipCell);
    connect(m_actions.stopAfterCell, &QAction::triggered, &m_controller,
            &RunController::stopAfterCell);
    connect(m_actions.stopNow, &QAction::triggered, &m_controller, &RunController::stopNow);
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        m_answer->setRunning(m_controller.isRunning());
        m_curves->setRunning(m_controller.isRunning());
        updateActions();
        updateStatus();
    });
    connect(m_silent, &SilentPhaseBar::skipCellRequested, &m_controller, &RunController::skipCell);
    connect(m_silent, &SilentPhaseBar::skipCompileModeRequested, &m_controller,
            &RunController::skipCompileMode);
    connect(&m_controller, &RunController::planned, this, &MainWindow::runPlanned);
    connect(&m_controller, &RunController::progressChanged, this, &MainWindow::updateStatus);
    connect(&m_controller, &RunController::linesLogged, this, [this](const QStringList& lines) {
        m_log->appendPlainText(lines.join(QLatin1Char('\n')));
    });
    connect(&m_controller, &RunController::runFinished, this, &MainWindow::runFinished);
    connect(&m_store, &widgets::RunStore::selectionChanged, this, &MainWindow::updateActions);
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &MainWindow::updateActions,
            Qt::QueuedConnection);
    connect(&m_loader, &RunLoader::loaded, this, &MainWindow::runLoaded);
    connect(&m_loader, &RunLoader::failed, this, [this](const QString& problem) {
        m_notice.clear();
        updateStatus();
        showProblem(tr("The run folder cannot be opened"), problem);
    });
}

void MainWindow::showProblem(const QString& title, const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title, title, QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("problemBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(text);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    widgets::showPlainly(*box);
    box->open();
    Q_EMIT problemShown(text);
}

void MainWindow::showFault(const QString& problem)
{
    showProblem(tr("Something went wrong"), problem);
}

void MainWindow::askBeforeClosing()
{
    if (findChild<QMessageBox*>(QStringLiteral("closeQuestion")) != nullptr)
        return;
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("A run is going on"),
                        tr("A run is going on. Finished measurements are kept in any case."),
                        QMessageBox::Cancel, this);
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

void MainWindow::closeAfterRun(bool now)
{
    m_closeAfterRun = true;
    if (!m_controller.isRunning()) {
        close();
        return;
    }
    if (now)
        m_controller.stopNow();
    else
        m_controller.stopAfterCell();
}

void MainWindow::savePreset(const QString& path)
{
    const core::Status status = core::writeFileAtomically(
        pathOf(path), core::jsonText(core::toJson(m_plan->preset()), 2) + "\n");
    tell(status, path);
    if (!status.ok())
        return;
    setWindowModified(false);
    m_settings.addRecentPreset(path);
    fillRecent();
    updateActions();
}

void MainWindow::chooseTheme(Theme theme)
{
    m_settings.setTheme(theme);
    applyTheme(*qApp, theme);
}

void MainWindow::checkPicture()
{
    auto* dialog =
        new CheckPictureDialog(m_options.paths, m_plan->preset(), m_engine.state().devices, this);
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

void MainWindow::tell(const core::Status& status, const QString& path)
{
    if (!status.ok()) {
        showProblem(tr("The file cannot be written"),
                    QString::fromStdString(status.error().message));
        return;
    }
    m_notice = tr("Saved %1").arg(path);
    updateStatus();
}

}  // namespace qs::app
