#include "app/gui/answer_bar.h"
#include "app/gui/main_window.h"
#include "app/gui/status_strip.h"
#include "app/gui/theme.h"
#include "core/base/files.h"
#include "core/record/report.h"
#include "core/sweep/preset.h"
#include "widgets/compare/compare_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_view.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFuture>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QtConcurrentRun>

#include <nlohmann/json.hpp>

#include <exception>

namespace qs::app {

namespace {

std::filesystem::path pathOf(const QString& text)
{
    return text.toStdString();
}

}  // namespace

template <typename Chosen>
void MainWindow::ask(const char* name, const QString& title, const QString& filter, int mode,
                     Chosen chosen)
{
    auto* dialog = new QFileDialog(this, title, {}, filter);
    dialog->setObjectName(QString::fromLatin1(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(static_cast<QFileDialog::FileMode>(mode));
    if (mode == QFileDialog::AnyFile) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        const QString pattern =
            filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
        dialog->setDefaultSuffix(pattern.section(QLatin1Char(' '), 0, 0));
    }
    connect(dialog, &QFileDialog::fileSelected, this, chosen);
    dialog->open();
}

void MainWindow::connectActions()
{
    const auto askPreset = [this] {
        ask("openPresetDialog", tr("Open a preset"), tr("Presets (*.json)"),
            QFileDialog::ExistingFile, [this](const QString& path) { openPreset(pathOf(path)); });
    };
    connect(m_actions.openPreset, &QAction::triggered, this, askPreset);
    connect(m_plan, &widgets::PlanPanel::openPresetRequested, this, askPreset);
    connect(m_plan, &widgets::PlanPanel::presetChosen, this,
            [this](const QString& path) { openPreset(pathOf(path)); });
    connect(m_plan, &widgets::PlanPanel::presetEdited, this, &MainWindow::presetEdited);
    connect(m_actions.openRun, &QAction::triggered, this, [this] {
        ask("openRunDialog", tr("Open a run folder"), {}, QFileDialog::Directory,
            [this](const QString& path) { openRun(pathOf(path)); });
    });
    connect(m_actions.savePreset, &QAction::triggered, this, [this] {
        ask("savePresetDialog", tr("Save the preset"), tr("Presets (*.json)"), QFileDialog::AnyFile,
            [this](const QString& path) { savePreset(path); });
    });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.curves, &QAction::triggered, this, [this] { m_tabs->setCurrentIndex(0); });
    connect(m_actions.table, &QAction::triggered, this, [this] { m_tabs->setCurrentIndex(1); });
    connect(m_actions.log, &QAction::toggled, m_log, &QWidget::setVisible);
    connect(m_actions.log, &QAction::toggled, m_status->logButton(), &QToolButton::setChecked);
    connect(m_status->logButton(), &QToolButton::toggled, m_actions.log, &QAction::setChecked);
    for (QAction* action : m_actions.themes->actions()) {
        action->setChecked(action->data().toInt() == int(m_settings.theme()));
        connect(action, &QAction::triggered, this,
                [this, action] { chooseTheme(static_cast<Theme>(action->data().toInt())); });
    }
    connect(m_answer, &AnswerBar::limitChosen, this,
            [this](QualityLimit limit) { m_settings.setQualityLimit(int(limit)); });
}

void MainWindow::connectExports()
{
    connect(m_actions.exportTables, &QAction::triggered, this, [this] {
        ask("exportTablesDialog", tr("Folder for the CSV files"), {}, QFileDialog::Directory,
            [this](const QString& path) { exportReport(path, false); });
    });
    connect(m_actions.exportReport, &QAction::triggered, this, [this] {
        ask("exportReportDialog", tr("Folder for the report"), {}, QFileDialog::Directory,
            [this](const QString& path) { exportReport(path, true); });
    });
    connect(m_actions.exportCurves, &QAction::triggered, this, [this] {
        ask("exportCurvesDialog", tr("Save the curves"), tr("Figures (*.png *.svg *.pdf)"),
            QFileDialog::AnyFile, [this](const QString& path) { exportCurves(path); });
    });
    connect(m_actions.exportPictures, &QAction::triggered, this, [this] {
        ask("exportPicturesDialog", tr("Save the comparison"), tr("Pictures (*.png)"),
            QFileDialog::AnyFile, [this](const QString& path) {
                m_compare->exportPng(
                    pathOf(path), [this, path](const core::Status& status) { tell(status, path); });
            });
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
    connect(&m_controller, &RunController::planned, this, &MainWindow::runPlanned);
    connect(&m_controller, &RunController::progressChanged, this, &MainWindow::updateStatus);
    connect(&m_controller, &RunController::linesLogged, this, [this](const QStringList& lines) {
        m_log->appendPlainText(lines.join(QLatin1Char('\n')));
    });
    connect(&m_controller, &RunController::runFinished, this, &MainWindow::runFinished);
    connect(&m_store, &widgets::RunStore::selectionChanged, this, &MainWindow::updateActions);
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
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box->open();
    Q_EMIT problemShown(text);
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
    const core::Status status =
        core::writeFileAtomically(pathOf(path), core::toJson(m_plan->preset()).dump(2) + "\n");
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

void MainWindow::exportReport(const QString& folder, bool everything)
{
    core::ReportOptions options;
    options.folder = pathOf(folder);
    options.baseline = m_store.baseline().toStdString();
    options.json = everything;
    options.summary = everything;
    ++m_exports;
    QtConcurrent::run([data = m_store.data(), options]() -> core::Status {
        try {
            return core::writeReport(data, options);
        } catch (const std::exception& failure) {
            return core::Error{core::ErrorCode::Internal, failure.what()};
        }
    }).then(this, [this, folder](const core::Status& status) {
        --m_exports;
        tell(status, folder);
    });
}

void MainWindow::exportCurves(const QString& path)
{
    const std::filesystem::path file = pathOf(path);
    constexpr double kWidth = widgets::kPageMillimetres;
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        tell(m_curves->exportSvg(file, kWidth), path);
    else if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        tell(m_curves->exportPdf(file, kWidth), path);
    else
        tell(m_curves->exportPng(file, kWidth), path);
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
