#include "app/gui/main_window.h"
#include "app/gui/path_text.h"
#include "app/gui/runs/adapt_preset.h"
#include "app/gui/runs/example_banner.h"
#include "app/gui/runs/runs_page.h"
#include "core/base/clean_text.h"
#include "widgets/background/in_background.h"
#include "widgets/layout/plain_box.h"
#include "widgets/plan/plan_panel.h"

#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
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
    askForPaths(folder, [this, folder, retryFailed](const auto& agreed) {
        m_notice.clear();
        m_controller.resume(folder, retryFailed, agreed);
        showView(QStringLiteral("curves"));
    });
}

void MainWindow::askForPaths(const std::filesystem::path& folder, const GoOn& goOn)
{
    // The session looks again; of the run in view the plan is here, and most name no paths.
    if (folder == m_store.data().folder && core::outsidePaths(m_store.data().plan).empty()) {
        goOn({});
        return;
    }
    using Paths = std::shared_ptr<core::Result<std::vector<std::string>>>;
    ++m_plansRead;
    widgets::inBackground(
        this,
        [folder, trust = core::PathTrust(m_options.paths.trustFile)] {
            return std::make_shared<core::Result<std::vector<std::string>>>(
                core::pathsToAgree(folder, trust));
        },
        [this, goOn](const Paths& paths) {
            --m_plansRead;
            if (m_controller.isRunning())
                return;
            if (paths == nullptr || !paths->ok())
                showProblem(tr("The run cannot be gone on with"),
                            paths == nullptr ? tr("There is not enough memory.")
                                             : QString::fromStdString(paths->error().message));
            else if (paths->value().empty())
                goOn({});
            else
                askToTrust(paths->value(), goOn);
        });
}

void MainWindow::askToTrust(const std::vector<std::string>& paths, const GoOn& goOn)
{
    constexpr std::size_t kMostShown = 12;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(paths.size(), kMostShown); ++i)
        lines << QString::fromStdString(core::cleanLine(paths[i]));
    if (paths.size() > kMostShown)
        lines << tr("and %1 more").arg(QLocale().toString(qulonglong{paths.size() - kMostShown}));
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Files that a run names"),
                                tr("This run was not begun by you on this computer, and its plan "
                                   "names files outside its folder. Going on reads them:"),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("trustQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(lines.join(QLatin1Char('\n')));
    QPushButton* yes = box->addButton(tr("&Read them"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("trustYes"));
    box->setDefaultButton(QMessageBox::Cancel);
    widgets::showPlainly(*box);
    connect(yes, &QPushButton::clicked, this, [this, paths, goOn] {
        if (!m_controller.isRunning())
            goOn(paths);
    });
    box->open();
}

}  // namespace qs::app
