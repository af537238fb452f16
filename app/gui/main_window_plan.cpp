#include "app/gui/main_window.h"
#include "core/sweep/preset.h"
#include "widgets/model/layers_view.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_browser.h"

#include <utility>

// What the window does for the draft: models that were opened, layers, presets, the last time's
// draft.
namespace qs::app {

void MainWindow::fillPresets()
{
    std::vector<widgets::PresetEntry> entries = widgets::listPresets(m_options.paths.presets);
    for (widgets::PresetEntry& own : widgets::listPresets(m_settings.presetFolder())) {
        own.group = tr("your own");
        entries.push_back(std::move(own));
    }
    m_plan->setPresets(std::move(entries));
}

void MainWindow::connectPlan()
{
    fillPresets();
    m_plan->setDraftFile(m_settings.draftFile());
    connect(m_plan, &widgets::PlanPanel::modelInspected, m_layers, &widgets::LayersView::setModel);
    connect(m_plan, &widgets::PlanPanel::presetEdited, m_layers,
            [this] { m_layers->setPreset(m_plan->preset()); });
    connect(m_plan, &widgets::PlanPanel::presetShown, m_layers,
            [this] { m_layers->setPreset(m_plan->preset()); });
    connect(m_plan, &widgets::PlanPanel::modelOpened, this, [this](const QString& path) {
        m_settings.addRecentModel(path);
        m_plan->setRecentModels(m_settings.recentModels());
    });
    connect(m_plan, &widgets::PlanPanel::draftNotKept, this, [this](const QString& problem) {
        m_notice = tr("The draft is not kept: %1").arg(problem);
        updateStatus();
    });
    connect(m_plan, &widgets::PlanPanel::browseRequested, this, &MainWindow::browsePresets);
}

void MainWindow::browsePresets()
{
    auto* browser = new widgets::PresetBrowser(
        {m_options.paths.presets, m_settings.presetFolder(), m_settings.recentPresets()},
        m_plan->preset(), this);
    connect(browser, &widgets::PresetBrowser::presetChosen, this,
            [this](const QString& path) { openPreset(path.toStdString()); });
    connect(browser, &widgets::PresetBrowser::openFileRequested, m_plan,
            &widgets::PlanPanel::openPresetRequested);
    connect(browser, &widgets::PresetBrowser::ownPresetsChanged, this, &MainWindow::fillPresets);
    browser->show();
}

bool MainWindow::restoreDraft()
{
    const core::Result<core::Preset> draft = widgets::DraftFile::read(m_settings.draftFile());
    if (!draft.ok()) {
        if (draft.error().code != core::ErrorCode::NotFound)
            m_notice = tr("The draft of the last time cannot be read");
        return false;
    }
    m_presetName = QString::fromStdString(draft.value().name);
    m_plan->restoreDraft(draft.value());
    m_notice = tr("Your draft of the last time is back");
    setWindowModified(true);
    updateTitle();
    updateActions();
    updateStatus();
    return true;
}

}  // namespace qs::app
