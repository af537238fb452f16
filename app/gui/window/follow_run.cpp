#include "app/gui/window/follow_run.h"

namespace qs::app {

namespace {

// The cell whose outputs were compared last, as those of both are there. Cells of the noise floor
// look like their reference, so that one is taken only where there is no other yet.
QString newestCompared(const core::RunData& data)
{
    QString ofFloor;
    for (auto each = data.qualities.rbegin(); each != data.qualities.rend(); ++each) {
        const core::PlannedCell* cell = data.plan.find(each->cellId);
        if (cell == nullptr || cell->referenceId == cell->id)
            continue;
        if (cell->role != core::CellRole::NoiseFloor)
            return QString::fromStdString(cell->id);
        if (ofFloor.isEmpty())
            ofFloor = QString::fromStdString(cell->id);
    }
    return ofFloor;
}

}  // namespace

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
    const QString newest = newestCompared(m_store.data());
    if (newest.isEmpty())
        return;
    m_shown = newest;
    m_store.selectCell(m_shown);
}

}  // namespace qs::app

#include "moc_follow_run.cpp"
