// What the parts of the window tell each other.
#include "app/gui/answer_bar.h"
#include "app/gui/exports.h"
#include "app/gui/file_dialog.h"
#include "app/gui/help/about_dialog.h"
#include "app/gui/help/dialog_help.h"
#include "app/gui/main_window.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/compare_runs.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/run_here.h"
#include "app/gui/runs/runs_page.h"
#include "app/gui/window/comparison_room.h"
#include "app/gui/window/layer_search_flow.h"
#include "app/gui/window/no_outputs_strip.h"
#include "app/gui/window/plan_drawer.h"
#include "widgets/layout/view_tabs.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/sensitivity_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plot/curve_view.h"

#include <QAction>
#include <QPlainTextEdit>

#include <system_error>
#include <utility>

namespace qs::app {

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
    // Windows beside this one have their pages, too.
    m_actions.view.help->setShortcutContext(Qt::ApplicationShortcut);
    connect(m_actions.view.help, &QAction::triggered, this, &MainWindow::showHelp);
    new DialogHelp(m_options.paths.resources / "help", this);
    connect(m_actions.view.about, &QAction::triggered, this,
            [this] { showAbout(m_engine, m_options.commit, *this); });
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
    connect(plan, &widgets::PlanPanel::runRequested, this, &MainWindow::startRun);
    connect(plan, &widgets::PlanPanel::appendRequested, &m_flow, &RunFlow::append);
    m_flow.connectActions(actions);
    connect(actions.checkPicture, &QAction::triggered, this, &MainWindow::checkPicture);
}

void MainWindow::connectRun()
{
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        m_parts.answer->setRunning(m_controller.isInView());
        m_parts.curves->setRunning(m_controller.isInView());
        m_parts.room->setRunning(m_controller.isInView());
        updateActions();
    });
    connect(&m_controller, &RunController::planned, this, [this] {
        if (m_controller.isInView())
            m_parts.drawer->setOpen(false);
        m_settings.addRecentRun(textOf(m_controller.folder()),
                                QString::fromStdString(m_controller.plan().preset.name));
        if (m_parts.runs->isVisible())
            m_parts.runs->refresh();
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
    // The answer bar hears of the analysis in an event of its own, which is queued already.
    connect(&m_flow, &RunFlow::ended, this, &MainWindow::selectAnswer, Qt::QueuedConnection);
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
}

void MainWindow::connectLayers()
{
    widgets::PlanPanel* plan = m_parts.plan;
    connect(plan, &widgets::PlanPanel::modelInspected, m_parts.layers,
            &widgets::LayersView::setModel);
    const auto add = [this, plan](const char* axis, const QString& value, const QString& what) {
        core::Preset preset = plan->preset();
        QStringList values = widgets::axisValues(preset, axis);
        if (values.contains(value))
            return m_parts.drawer->setOpen(true);
        values << value;
        if (widgets::setAxisValues(preset, axis, values).ok())
            plan->adopt(preset, what);
    };
    connect(m_parts.layers, &widgets::LayersView::filterWanted, plan,
            [add](const QString& filter) { add("layers", filter, tr("layer filters")); });
    connect(m_parts.layers, &widgets::LayersView::compileWanted, plan,
            [add](const QString& mode) { add("compile", mode, tr("compile modes")); });
    connect(m_parts.layers, &widgets::LayersView::sweepWanted, plan,
            [plan](const core::Preset& preset) { plan->adopt(preset, tr("sensitivity")); });
    for (const auto draftShown : {&widgets::SweepDraft::edited, &widgets::SweepDraft::shown})
        connect(&plan->draft(), draftShown, m_parts.layers,
                [this] { m_parts.layers->setPreset(m_parts.plan->preset()); });
    widgets::SensitivityView& sensitivity = m_parts.layers->sensitivity();
    connect(&sensitivity, &widgets::SensitivityView::searchWanted, this,
            [this](const core::LayerSearch& search, const core::Gate& limit) {
                m_layerSearch->start(search, limit, m_engine.state().devices);
            });
    connect(&sensitivity, &widgets::SensitivityView::searchStopWanted, m_layerSearch,
            &LayerSearchFlow::stop);
    connect(m_layerSearch, &LayerSearchFlow::stateChanged, &sensitivity,
            &widgets::SensitivityView::showSearch);
}

void MainWindow::runDeleted(const QString& folder)
{
    m_compareRuns->forget(folder);
    std::error_code ignored;
    if (!m_store.isEmpty() && !std::filesystem::exists(m_store.data().folder, ignored))
        m_store.setRun(core::RunData());
    fillRecent();
    updateActions();
}

void MainWindow::connectRuns()
{
    connect(&m_opening, &RunOpening::opened, this, [this] {
        m_parts.drawer->setOpen(false);
        const bool viewIsAsked = std::exchange(m_viewIsAsked, false);
        // Whoever chose it in the list wants to see it; one that cannot be read leaves them there.
        if (m_parts.tabs->currentWidget() == m_parts.runs && !viewIsAsked)
            showView(QStringLiteral("curves"));
        fillRecent();
        updateTitle();
        updateActions();
        // The answer bar hears of the run in an event of its own, which is queued already.
        QMetaObject::invokeMethod(this, &MainWindow::selectAnswer, Qt::QueuedConnection);
    });
    connect(&m_opening, &RunOpening::repeatWanted, this, &MainWindow::repeatRun);
    connect(m_parts.runs, &RunsPage::openRequested, this, [this](const QString& folder) {
        m_viewIsAsked = false;
        openRun(pathOf(folder));
    });
    connect(m_parts.runs, &RunsPage::compareRequested, m_compareRuns, &CompareRuns::compareChosen);
    connect(m_compareRuns, &CompareRuns::openWanted, this,
            [this](const QString& folder) { openRun(pathOf(folder)); });
    connect(&m_opening, &RunOpening::opened, m_compareRuns, &CompareRuns::runOpened);
    connect(m_compareRuns, &CompareRuns::compared, this, [this] {
        if (m_parts.tabs->currentWidget() == m_parts.runs)
            showView(QStringLiteral("curves"));
    });
    connect(m_parts.runs, &RunsPage::resumeRequested, this,
            [this](const QString& folder) { m_flow.resume(pathOf(folder), false); });
    connect(m_parts.runs, &RunsPage::repeatRequested, this,
            [this](const QString& folder) { m_opening.readForRepeat(pathOf(folder)); });
    connect(m_parts.runs, &RunsPage::labelled, &m_name, &RunName::read);
    connect(m_parts.runs, &RunsPage::labelled, this, &MainWindow::fillRecent);
    connect(m_parts.runs, &RunsPage::deleted, this, &MainWindow::runDeleted);
    connect(m_parts.runs, &RunsPage::problemFound, &m_messages, &Messages::showProblem);
    connect(&m_name, &RunName::changed, this, &MainWindow::updateTitle);
    connect(m_parts.banner, &ExampleBanner::runHereRequested, m_runHere, &RunHere::ask);
    connect(m_runHere, &RunHere::runRequested, this, &MainWindow::startRun);
    connect(m_runHere, &RunHere::offerChanged, this, &MainWindow::showRunHere);
    connect(m_parts.room, &ComparisonRoom::judged, this, [this] {
        m_parts.noOutputs->setVisible(m_parts.room->isLeft());
        // The banner of an example has an offer of its own.
        if (m_parts.room->isLeft())
            m_parts.noOutputs->showRun(m_store.data(), !m_opening.isExample());
    });
    connect(m_parts.noOutputs, &NoOutputsStrip::repeatWanted, this,
            [this] { repeatRun(m_store.data()); });
    connect(m_parts.noOutputs, &NoOutputsStrip::layersWanted, m_actions.view.layers,
            &QAction::trigger);
}

}  // namespace qs::app
