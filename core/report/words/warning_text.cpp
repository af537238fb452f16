#include "core/report/words/warning_text.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/disturbed_cells.h"
#include "core/analysis/rerun_speed.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/words/note_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::core {

namespace {

std::string rerunWarning(const Analysis& analysis)
{
    const std::vector<RerunSpeed> speeds = rerunSpeeds(analysis);
    const RerunSpeed* worst = nullptr;
    const auto distance = [](const RerunSpeed& speed) {
        return std::abs(std::log(speed.evidence.ratio.value));
    };
    for (const RerunSpeed& speed : speeds) {
        if (speed.differs && (worst == nullptr || distance(speed) > distance(*worst)))
            worst = &speed;
    }
    if (worst == nullptr)
        return {};
    const auto count = std::count_if(speeds.begin(), speeds.end(),
                                     [](const RerunSpeed& speed) { return speed.differs; });
    const PlannedCell& cell = *analysis.find(worst->referenceId)->cell;
    const double ratio = worst->evidence.ratio.value;
    const std::string factor = formatSignificant(std::max(ratio, 1.0 / ratio), 3) + "×";
    return "reruns of one cell differ " + factor + " in speed: " + analysis.labels.withBatch(cell) +
           " (" + std::to_string(count) + " of " + std::to_string(speeds.size()) +
           " reruns differ); differences below " + factor + " between cells are noise";
}

std::string disturbanceWarning(const Analysis& analysis)
{
    const std::vector<const CellSummary*> disturbed = disturbedCells(analysis);
    if (disturbed.empty())
        return {};
    const CellSummary& worst =
        **std::max_element(disturbed.begin(), disturbed.end(), [](const auto* a, const auto* b) {
            return *a->othersCores < *b->othersCores;
        });
    const auto measured = std::count_if(analysis.cells.begin(), analysis.cells.end(),
                                        [](const CellSummary& cell) { return cell.measured; });
    return "other processes used up to " + formatSignificant(*worst.othersCores, 2) +
           " cores while " + std::to_string(disturbed.size()) + " of " + std::to_string(measured) +
           " cells ran, most of all " + analysis.labels.withBatch(*worst.cell) +
           ": their times are disturbed";
}

}  // namespace

std::vector<std::string> leftOutTexts(const LeftOut& leftOut)
{
    std::vector<std::string> texts;
    if (leftOut.journal.any())
        texts.push_back("the journal is damaged: " + damageText(leftOut.journal) +
                        (leftOut.journal.lines > 0 ? "; the unreadable records are missing" : ""));
    if (leftOut.notUnderstood > 0)
        texts.push_back("invalid records of the journal are ignored (" +
                        std::to_string(leftOut.notUnderstood) +
                        "), the first: " + leftOut.firstNotUnderstood);
    if (leftOut.contradictions > 0)
        texts.push_back(counted(leftOut.contradictions, "record") +
                        " of the journal contradict earlier records of the same row or comparison "
                        "and are ignored");
    if (leftOut.repetitions > 0)
        texts.push_back(counted(leftOut.repetitions, "record") +
                        " of the journal are duplicates and count once");
    for (const auto& [type, count] : leftOut.unknownTypes)
        texts.push_back(counted(count, "record") + " of the journal are of the unknown type \"" +
                        type + "\" and are ignored");
    if (leftOut.tornBytes > 0)
        texts.push_back("the journal ends with an incomplete record of " +
                        counted(leftOut.tornBytes, "byte"));
    return texts;
}

std::string eventText(const RunEvent& event)
{
    std::string text;
    for (const Note& note : event.notes)
        text += (text.empty() ? "" : "; ") + noteText(note);
    return text;
}

bool concernsTimes(const RunEvent& event)
{
    return std::any_of(event.notes.begin(), event.notes.end(), [](const Note& note) {
        return note.code == NoteCode::GovernorNotPerformance || note.code == NoteCode::TurboOn ||
               note.code == NoteCode::CoresBusy || note.code == NoteCode::CpuQuota;
    });
}

std::vector<std::string> timeWarnings(const Analysis& analysis)
{
    std::vector<std::string> texts{rerunWarning(analysis), disturbanceWarning(analysis)};
    std::erase(texts, std::string());
    return texts;
}

std::vector<std::string> allWarnings(const RunData& data, const Analysis& analysis)
{
    std::vector<std::string> texts = leftOutTexts(data.leftOut);
    // In the order in which they were first seen.
    std::vector<std::pair<std::string, std::vector<std::string>>> seen;
    for (const RunEvent& event : data.events) {
        if (event.kind != EventKind::Warning)
            continue;
        const std::string text = eventText(event);
        const auto known = std::find_if(seen.begin(), seen.end(),
                                        [&](const auto& each) { return each.first == text; });
        if (known == seen.end())
            seen.push_back({text, {event.at}});
        else
            known->second.push_back(event.at);
    }
    for (const auto& [text, times] : seen)
        texts.push_back(
            text + " (" + times.front() +
            (times.size() == 1 ? ")" : " and " + counted(times.size() - 1, "more time") + ")"));
    for (std::string& warning : timeWarnings(analysis))
        texts.push_back(std::move(warning));
    return texts;
}

}  // namespace qs::core
