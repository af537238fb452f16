#include "app/gui/window/run_opening.h"

#include "app/gui/path_text.h"

#include <system_error>
#include <utility>

namespace qs::app {

namespace {

// The example that a first start shows.
constexpr const char* kFirstExample = "demo_h200";

}  // namespace

RunOpening::RunOpening(widgets::RunStore& store, RunController& controller, Settings& settings,
                       Messages& messages, std::filesystem::path examples)
    : m_store(store),
      m_controller(controller),
      m_settings(settings),
      m_messages(messages),
      m_examples(std::move(examples))
{
    connect(&m_loader, &RunLoader::loaded, this,
            [this](const std::shared_ptr<LoadedRun>& run) { accept(*run); });
    connect(&m_repeated, &RunLoader::loaded, this,
            [this](const std::shared_ptr<LoadedRun>& run) { Q_EMIT repeatWanted(run->data); });
    for (const RunLoader* loader : {&m_loader, &m_repeated})
        connect(loader, &RunLoader::failed, this, [this](const QString& problem) {
            m_messages.notify({});
            m_messages.showProblem(tr("Cannot open the run folder"), problem);
        });
}

void RunOpening::open(const std::filesystem::path& folder)
{
    std::error_code unknown;
    if (m_controller.isRunning() &&
        std::filesystem::equivalent(folder, m_controller.folder(), unknown)) {
        m_controller.setInView(true);
        Q_EMIT opened();
        return;
    }
    m_loader.load(folder);
    m_messages.notify(tr("Opening %1…").arg(folderName(folder)));
}

void RunOpening::openFirst()
{
    const QStringList recent = m_settings.recentRuns();
    if (!recent.isEmpty()) {
        open(pathOf(recent.front()));
        return;
    }
    const std::filesystem::path example = m_examples / kFirstExample;
    std::error_code ignored;
    // An installation without examples starts empty, not with an error.
    if (std::filesystem::exists(example / "plan.json", ignored))
        open(example);
}

void RunOpening::accept(LoadedRun& run)
{
    m_controller.setInView(false);
    m_settings.addRecentRun(textOf(run.data.folder),
                            QString::fromStdString(run.data.plan.preset.name));
    m_messages.notify(tr("Opened %1").arg(folderName(run.data.folder)));
    m_store.setRun(std::move(run.data), std::move(run.analysis));
    Q_EMIT opened();
}

bool RunOpening::isExample() const
{
    std::error_code error;
    const bool same =
        !m_store.isEmpty() &&
        std::filesystem::equivalent(m_store.data().folder.parent_path(), m_examples, error);
    return !error && same;
}

QStringList RunOpening::known(const RunCatalogue& listed) const
{
    QStringList folders = m_settings.recentRuns();
    for (int row = 0; row < listed.rowCount(); ++row) {
        if (listed.run(row).problem.isEmpty())
            folders << textOf(listed.run(row).folder);
    }
    folders.removeDuplicates();
    return folders;
}

}  // namespace qs::app

#include "moc_run_opening.cpp"
