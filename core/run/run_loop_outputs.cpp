#include "core/report/words/note_text.h"
#include "core/run/image_quality.h"
#include "core/run/run_loop.h"

#include <algorithm>

// What becomes of the outputs of a cell: pictures are made of them, and they are compared.
namespace qs::core {

namespace {

constexpr int kComparisonWarnings = 5;  // of a session; nobody reads a thousand

}  // namespace

Status RunLoop::finishRow(const PlannedCell& cell, Measurement& row, int kept)
{
    // Files would be written where another folder may be by now.
    QS_RETURN_IF_ERROR(m_recorder->folder().checkInPlace());
    const int written = std::min(kept, static_cast<int>(row.result.outputs.size()));
    // Outputs of other kinds are kept as arrays alone.
    if (row.ok() && written > 0 && cell.output == OutputKind::Image) {
        const Status stored = writeOutputPictures(
            folder(), m_comparison->place(cell.id, m_environmentId), written, m_requests.now());
        // Whoever stops need not wait for pictures: the next session makes them from the arrays.
        if (!stored.ok() && stored.error().code != ErrorCode::Cancelled) {
            row.failure = Failure{.kind = FailureKind::UnusableOutputs,
                                  .phase = Phase::Outputs,
                                  .detail = stored.error().message};
            row.result = {};
        }
    }
    m_comparison->outputs().nameFiles(row);
    QS_RETURN_IF_ERROR(addRow(row));
    if (row.ok() && written > 0) {
        m_comparison->measured(row);
        QS_RETURN_IF_ERROR(compareOutputsOf(cell, m_environmentId, m_requests.now()));
        for (const PlannedCell* other : m_comparison->cellsOf(cell.id)) {
            if (other->id != cell.id)
                QS_RETURN_IF_ERROR(compareOutputsOf(*other, m_environmentId, m_requests.now()));
        }
    }
    return {};
}

Status RunLoop::compareOutputsOf(const PlannedCell& cell, const std::string& environmentId,
                                 const std::stop_token& stop)
{
    const OutputComparison::Outcome outcome = m_comparison->compare(cell, environmentId, stop);
    QS_RETURN_IF_ERROR(m_recorder->addQualities(outcome.qualities));
    for (const Note& problem : outcome.problems)
        QS_RETURN_IF_ERROR(warnOfComparison(problem));
    return {};
}

Status RunLoop::warnOfComparison(const Note& problem)
{
    m_recorder->log(noteText(problem));
    if (++m_comparisonWarnings < kComparisonWarnings)
        return m_recorder->addEvent(EventKind::Warning, {problem});
    if (m_comparisonWarnings > kComparisonWarnings)
        return {};
    return m_recorder->addEvent(EventKind::Warning, {problem, {NoteCode::MoreNotCompared}});
}

// What sessions that were stopped or killed had measured but not compared.
Status RunLoop::compareWhatIsStored()
{
    for (const PlannedCell& cell : m_data.plan.cells) {
        for (const std::string& environment : m_comparison->outputs().environments(cell.id)) {
            if (m_requests.stopping())
                return {};
            QS_RETURN_IF_ERROR(completeWhatIsStored(cell, environment));
        }
    }
    return {};
}

Status RunLoop::completeWhatIsStored(const PlannedCell& cell, const std::string& environmentId)
{
    const std::string place = m_comparison->place(cell.id, environmentId);
    const int pictures = m_comparison->outputs().pictures(cell.id, environmentId);
    if (cell.output == OutputKind::Image && lacksOutputPictures(folder(), place, pictures)) {
        const Status made = writeOutputPictures(folder(), place, pictures, m_requests.ending());
        if (!made.ok() && made.error().code != ErrorCode::Cancelled)
            QS_RETURN_IF_ERROR(
                warnOfComparison({NoteCode::ImagesNotWritten, {cell.id, made.error().message}}));
    }
    return compareOutputsOf(cell, environmentId, m_requests.ending());
}

}  // namespace qs::core
