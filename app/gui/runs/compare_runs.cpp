#include "app/gui/runs/compare_runs.h"

#include "app/gui/path_text.h"
#include "app/gui/runs/compare_runs_dialog.h"
#include "app/gui/runs/run_catalogue.h"
#include "widgets/models/plain_tip.h"

#include <QAction>

#include <algorithm>
#include <utility>

namespace qs::app {

CompareRuns::CompareRuns(Sources sources, const ViewActions& actions, QWidget& window)
    : m_sources(std::move(sources)), m_actions(actions), m_window(window)
{
    connect(m_actions.compareRuns, &QAction::triggered, this, &CompareRuns::ask);
    connect(m_actions.stopComparing, &QAction::triggered, this, &CompareRuns::leave);
    connect(&m_sources.bar, &ComparedRunsBar::changeRequested, this, &CompareRuns::ask);
    connect(&m_sources.bar, &ComparedRunsBar::leaveRequested, this, &CompareRuns::leave);
    connect(&m_sources.store.others(), &widgets::OtherRuns::changed, this,
            &CompareRuns::updateActions);
    connect(&m_sources.store, &widgets::RunStore::runReplaced, this, [this] {
        m_reading.drop();
        m_sources.bar.setReading(false);
        m_sources.bar.setProblem({});
        updateActions();
    });
    updateActions();
}

void CompareRuns::updateActions()
{
    const bool any = !m_sources.store.isEmpty();
    m_actions.compareRuns->setEnabled(any);
    m_actions.compareRuns->setToolTip(widgets::plainTip(
        any ? tr("Lay one or more further runs beside the run in view, in curves, table and images "
                 "(Ctrl+D)")
            : tr("Open a run first: other runs are laid beside it (Ctrl+D)")));
    m_actions.stopComparing->setEnabled(!m_sources.store.others().laid().empty());
}

bool CompareRuns::isInView(const QString& folder) const
{
    return !m_sources.store.isEmpty() && isSamePlace(pathOf(folder), m_sources.store.data().folder);
}

void CompareRuns::ask()
{
    QStringList compared;
    for (const auto& run : m_sources.store.others().laid())
        compared << textOf(run->data.folder);
    QStringList others = compared + m_sources.known();
    others.removeDuplicates();
    others.removeIf([this](const QString& folder) { return isInView(folder); });
    auto* dialog = new CompareRunsDialog(others, compared, m_sources.catalogue, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CompareRunsDialog::chosen, this, &CompareRuns::compareWith);
    // Not every folder has been looked at since the window opened.
    connect(&m_sources.catalogue, &QAbstractItemModel::modelReset, dialog, [this, dialog] {
        QStringList listed = m_sources.known();
        listed.removeIf([this](const QString& folder) { return isInView(folder); });
        dialog->addRuns(listed);
    });
    m_sources.refreshCatalogue();
    dialog->open();
}

void CompareRuns::compareWith(const QStringList& folders)
{
    std::vector<std::filesystem::path> paths;
    for (const QString& folder : folders) {
        const bool again = std::any_of(paths.begin(), paths.end(), [&](const auto& each) {
            return isSamePlace(each, pathOf(folder));
        });
        if (!again && !isInView(folder) && paths.size() < widgets::OtherRuns::kMost)
            paths.push_back(pathOf(folder));
    }
    if (paths.empty()) {
        if (folders.isEmpty())
            return leave();
        m_sources.bar.setProblem(
            tr("This is the run in view: choose another one to compare it with."));
        return;
    }
    m_sources.bar.setProblem({});
    m_sources.bar.setReading(true);
    m_reading.start(
        this,
        [paths](const auto& wanted) {
            return std::make_shared<const ReadRuns>(readOtherRuns(paths, wanted));
        },
        [this](const Read& read) { receive(read); });
}

void CompareRuns::receive(const Read& read)
{
    m_sources.bar.setReading(false);
    if (read == nullptr) {
        m_sources.bar.setProblem(tr("Not enough memory to read these runs."));
        return;
    }
    m_sources.bar.setProblem(read->problems.join(QStringLiteral(" · ")));
    // What was compared before stays where nothing could be read.
    if (read->runs.empty())
        return;
    m_sources.store.others().lay(read->runs);
    Q_EMIT compared();
}

void CompareRuns::compareChosen(const QStringList& folders)
{
    const bool inView = std::any_of(folders.begin(), folders.end(),
                                    [this](const QString& folder) { return isInView(folder); });
    if (inView || (folders.size() == 1 && !m_sources.store.isEmpty())) {
        compareWith(folders);
        return;
    }
    m_afterOpening = folders;
    Q_EMIT openWanted(folders.front());
}

void CompareRuns::runOpened()
{
    const QStringList waiting = std::exchange(m_afterOpening, {});
    // Somebody may have opened another one meanwhile.
    if (waiting.size() > 1 && isInView(waiting.front()))
        compareWith(waiting.mid(1));
}

void CompareRuns::forget(const QString& folder)
{
    auto laid = m_sources.store.others().laid();
    if (std::erase_if(laid, [&](const auto& run) { return textOf(run->data.folder) == folder; }) >
        0)
        m_sources.store.others().lay(std::move(laid));
}

void CompareRuns::leave()
{
    m_reading.drop();
    m_sources.bar.setReading(false);
    m_sources.bar.setProblem({});
    m_sources.store.others().leave();
}

}  // namespace qs::app

#include "moc_compare_runs.cpp"
