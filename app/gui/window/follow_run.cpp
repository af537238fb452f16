#include "app/gui/window/follow_run.h"

namespace qs::app {

FollowRun::FollowRun(widgets::RunStore& store, const RunController& controller, QObject* parent)
    : QObject(parent), m_store(store), m_controller(controller)
{
    connect(&m_store, &widgets::RunStore::analysisChanged, this, &FollowRun::follow);
    connect(&m_store, &widgets::RunStore::runReplaced, this, [this] { m_shown.clear(); });
}

bool FollowRun::isFollowing() const
{
    return m_store.selectedCell().isEmpty() || m_store.selectedCell() == m_shown;
}

void FollowRun::follow()
{
    if (!m_controller.isInView() || !isFollowing())
        return;
    // The newest whose outputs were compared: the outputs of both are there.
    const auto& qualities = m_store.data().qualities;
    for (auto each = qualities.rbegin(); each != qualities.rend(); ++each) {
        const core::PlannedCell* cell = m_store.data().plan.find(each->cellId);
        if (cell == nullptr || cell->referenceId == cell->id)
            continue;
        m_shown = QString::fromStdString(cell->id);
        m_store.selectCell(m_shown);
        return;
    }
}

}  // namespace qs::app

#include "moc_follow_run.cpp"
