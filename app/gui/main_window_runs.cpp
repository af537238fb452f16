#include "app/gui/main_window.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/adapt_preset.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "widgets/plan/plan_panel.h"

#include <system_error>

// Runs of before: the list of them, going on with one, measuring the same here.
namespace qs::app {

namespace {

// The example that a first start shows.
constexpr const char* kFirstExample = "demo_h200";

bool liesIn(const std::filesystem::path& folder, const std::filesystem::path& parent)
{
    std::error_code error;
    const bool same = std::filesystem::equivalent(folder.parent_path(), parent, error);
    return !error && same;
}

}  // namespace

std::filesystem::path MainWindow::examplesFolder() const
{
    return m_options.paths.resources / "example_runs";
}

void MainWindow::connectRuns()
{
    connect(m_runs, &RunsPage::openRequested, this, [this](const QString& folder) {
        openRun(pathOf(folder));
        showView(QStringLiteral("curves"));
    });
    connect(m_runs, &RunsPage::resumeRequested, this,
            [this](const QString& folder) { resumeRun(pathOf(folder), false); });
    connect(m_runs, &RunsPage::repeatRequested, this,
            [this](const QString& folder) { m_repeated.load(pathOf(folder)); });
    connect(&m_repeated, &RunLoader::loaded, this,
            [this](const std::shared_ptr<LoadedRun>& run) { repeatRun(run->data); });
    connect(&m_repeated, &RunLoader::failed, this, [this](const QString& problem) {
        showProblem(tr("The run folder cannot be opened"), problem);
    });
    connect(m_banner, &ExampleBanner::runHereRequested, this, [this] {
        repeatRun(m_store.data());
        startWhenReady();
    });
    connect(&m_store, &widgets::RunStore::runReplaced, this, &MainWindow::showOrigin);
}

void MainWindow::showOrigin()
{
    const core::RunData& data = m_store.data();
    m_banner->showRun(data, !m_store.isEmpty() && liesIn(data.folder, examplesFolder()));
}

QStringList MainWindow::otherRuns() const
{
    QStringList folders = m_settings.recentRuns();
    const RunCatalogue& listed = m_runs->catalogue();
    for (int row = 0; row < listed.rowCount(); ++row) {
        if (listed.run(row).problem.isEmpty())
            folders << textOf(listed.run(row).folder);
    }
    folders.removeDuplicates();
    return folders;
}

void MainWindow::openFirstRun()
{
    const QStringList recent = m_settings.recentRuns();
    if (!recent.isEmpty()) {
        openRun(pathOf(recent.front()));
        return;
    }
    const std::filesystem::path example = examplesFolder() / kFirstExample;
    std::error_code ignored;
    // An installation without examples starts empty, not with an error.
    if (std::filesystem::exists(example / "plan.json", ignored))
        openRun(example);
}

void MainWindow::repeatRun(const core::RunData& data)
{
    const core::Preset preset = adaptPreset(data.plan.preset, m_engine.state().devices);
    m_firstPreset = false;
    m_presetName = QString::fromStdString(preset.name);
    m_plan->setPreset(preset);
    updateTitle();
    updateActions();
}

void MainWindow::resumeRun(const std::filesystem::path& folder, bool retryFailed)
{
    if (m_controller.isRunning())
        return;
    m_notice.clear();
    m_controller.resume(folder, retryFailed);
    showView(QStringLiteral("curves"));
}

}  // namespace qs::app
