#include "core/run/run_recorder.h"

#include "core/base/clean_text.h"
#include "core/base/utc_time.h"
#include "core/report/words/note_text.h"

#include <utility>

namespace qs::core {

Status RunRecorder::addRow(const Measurement& row)
{
    QS_RETURN_IF_ERROR(m_folder.addMeasurement(row));
    m_data.measurements.push_back(row);
    m_observer.measured(row);
    return {};
}

Status RunRecorder::addQualities(std::span<const OutputQuality> qualities)
{
    QS_RETURN_IF_ERROR(m_folder.addQualities(qualities));
    for (const OutputQuality& quality : qualities) {
        m_data.qualities.push_back(quality);
        m_observer.qualityKnown(quality);
    }
    return {};
}

Status RunRecorder::addEvent(EventKind kind, std::vector<Note> notes)
{
    const RunEvent event = cleaned({utcNow(), kind, std::move(notes)});
    QS_RETURN_IF_ERROR(m_folder.addEvent(event));
    m_data.events.push_back(event);
    m_observer.happened(event);
    return {};
}

Status RunRecorder::addLoggedEvent(EventKind kind, const Note& note)
{
    log(noteText(note));
    return addEvent(kind, {note});
}

Status RunRecorder::growPlan(Plan plan)
{
    QS_RETURN_IF_ERROR(m_folder.replacePlan(plan));
    m_data.plan = std::move(plan);
    m_observer.planGrew(m_data.plan);
    return {};
}

void RunRecorder::log(const std::string& line)
{
    // A log that cannot be written must not end a sweep whose rows still can; nor may it be made
    // anew where the folder was.
    if (m_folder.checkInPlace().ok())
        static_cast<void>(m_folder.appendLog(line).ok());
    m_observer.logged(cleanLine(line));
}

}  // namespace qs::core
