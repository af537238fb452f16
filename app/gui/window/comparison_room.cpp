#include "app/gui/window/comparison_room.h"

#include "app/gui/window/usual_split.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/saved_images.h"
#include "widgets/models/other_runs.h"

#include <QSplitter>

namespace qs::app {

ComparisonRoom::ComparisonRoom(const Parts& parts, const widgets::RunStore& store)
    : QObject(&parts.splitter), m_parts(parts), m_store(store)
{
    connect(&store, &widgets::RunStore::runReplaced, this, &ComparisonRoom::judge);
    for (const auto other : {&widgets::OtherRuns::changed, &widgets::OtherRuns::shownChanged})
        connect(&store.others(), other, this, &ComparisonRoom::judge);
}

void ComparisonRoom::setResultsWantRoom(bool wanted)
{
    m_resultsWantRoom = wanted;
    update();
}

void ComparisonRoom::setRunning(bool running)
{
    if (m_running == running)
        return;
    m_running = running;
    judge();
}

void ComparisonRoom::takeBack()
{
    m_left = false;
    m_resultsWantRoom = false;
    update();
}

void ComparisonRoom::judge()
{
    const widgets::RunBeside* beside = m_store.others().shown();
    m_left = !m_running && !widgets::hasSomethingToCompare(m_store.data()) &&
             (beside == nullptr || !widgets::hasSomethingToCompare(beside->run->data));
    m_parts.split.setNarrowRight(!m_running && widgets::hasOnlyFigures(m_store.data()));
    update();
    Q_EMIT judged();
}

void ComparisonRoom::update()
{
    const bool wanted = !m_left && !m_resultsWantRoom;
    widgets::CompareView& compare = m_parts.compare;
    if (wanted != compare.isHidden())
        return;
    if (!wanted) {
        // It may have all the room at the moment.
        compare.setWantsRoom(false);
        m_widths = m_parts.splitter.sizes();
        compare.hide();
        return;
    }
    compare.show();
    if (m_parts.split.isDragged())
        m_parts.splitter.setSizes(m_widths);
    else
        m_parts.split.apply();
}

}  // namespace qs::app

#include "moc_comparison_room.cpp"
