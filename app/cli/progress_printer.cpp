#include "app/cli/progress_printer.h"

#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/report/words/warning_text.h"
#include "core/stats/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace qs::app {

using core::formatSeconds;

namespace {

constexpr int kBarWidth = 24;

std::string phaseText(const core::RunProgress& progress)
{
    if (progress.paused)
        return "paused";
    if (progress.phase == core::Phase::Inputs)
        return fmt::format("preparing images {}/{}", progress.step, progress.steps);
    if (progress.phase == core::Phase::DiskFull)
        return "waiting for disk space";
    if (progress.phaseFraction <= 0.0)
        return std::string(core::kPhaseNames.of(progress.phase));
    return fmt::format("{} {:.0f} %", core::kPhaseNames.of(progress.phase),
                       100.0 * std::min(1.0, progress.phaseFraction));
}

}  // namespace

std::string ProgressPrinter::describe(const core::PlannedCell& planned) const
{
    return m_labels.withBatch(planned);
}

void ProgressPrinter::printLine(const std::string& line)
{
    if (m_barShown)
        eraseLine();
    m_barShown = false;
    sayLine(line);
    flush();
}

void ProgressPrinter::flush()
{
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && m_outputFailed)
        m_outputFailed();
}

void ProgressPrinter::planned(const core::RunData& data)
{
    m_plan = data.plan;
    m_labels = core::distinguish(data.plan.cells);
    const int possible = data.plan.possibleCells();
    const int all = static_cast<int>(data.plan.cells.size());
    printLine(fmt::format("{} cells ({} cannot run here) x {} rounds, estimated {}: {}", all,
                          all - possible, data.plan.preset.rounds,
                          formatSeconds(data.plan.estimatedSeconds()), m_labels.shared()));
    for (const std::string& missing : core::leftOutTexts(data.leftOut))
        printLine("warning: " + core::cleanLine(missing));
    for (const core::PlannedCell& cell : data.plan.cells) {
        if (!cell.possible())
            printLine("  impossible: " + describe(cell) + ": " +
                      core::cleanLine(core::noteText(*cell.impossible)));
    }
}

void ProgressPrinter::planGrew(const core::Plan& plan)
{
    // Before the run is known, what is said of it then holds the new cells, too.
    if (!m_plan.cells.empty())
        m_plan = plan;
    m_labels = core::distinguish(plan.cells);
    printLine(fmt::format("appended: {} cells now, estimated {} in all", plan.cells.size(),
                          formatSeconds(plan.estimatedSeconds())));
}

void ProgressPrinter::drawBar(const core::RunProgress& progress)
{
    const double fraction =
        progress.total > 0 ? static_cast<double>(progress.done) / progress.total : 0.0;
    const int filled = static_cast<int>(fraction * kBarWidth);
    std::string bar(static_cast<std::size_t>(filled), '#');
    bar.resize(kBarWidth, '.');
    const core::PlannedCell* planned = m_plan.find(progress.cellId);
    const std::string cell = planned == nullptr ? std::string() : describe(*planned);
    const std::string phase = phaseText(progress);
    std::string line =
        fmt::format("[{}] {}/{} {} · {} · {} left", bar, progress.done, progress.total, cell, phase,
                    formatSeconds(progress.remainingSeconds));
    replaceLine(line);
    m_barShown = true;
    flush();
}

void ProgressPrinter::progressed(const core::RunProgress& progress)
{
    if (m_terminal)
        drawBar(progress);
    else
        tellInputs(progress);
}

// Many large images take minutes, in which nothing else is printed.
void ProgressPrinter::tellInputs(const core::RunProgress& progress)
{
    const bool begins = progress.phase == core::Phase::Inputs && !m_inputsTold;
    m_inputsTold = progress.phase == core::Phase::Inputs;
    if (begins)
        printLine("preparing " +
                  core::counted(static_cast<std::uint64_t>(progress.steps), "image"));
}

void ProgressPrinter::measured(const core::Measurement& row)
{
    const core::PlannedCell* cell = m_plan.find(row.cellId);
    std::string line =
        fmt::format("round {} · {} · {}", row.round + 1,
                    cell == nullptr ? row.cellId : describe(*cell), core::name(row.status()));
    const auto summary = core::summarize(row.result.passSeconds());
    if (row.ok() && summary) {
        const double units =
            static_cast<double>(cell == nullptr ? row.config.batch : cell->unitsPerPass);
        line += fmt::format(" · {} per pass · {} {}s/s · {} samples",
                            formatSeconds(summary->quartiles.median),
                            core::formatSignificant(units / summary->quartiles.median,
                                                    std::max(3, summary->significantDigits)),
                            cell == nullptr ? "sample" : core::name(cell->unit), summary->count);
        if (row.result.memory.allocatedPeak)
            line += " · peak " +
                    core::formatBytes(static_cast<double>(*row.result.memory.allocatedPeak));
    } else if (row.failure) {
        line += ": " + core::cleanLine(core::failureText(*row.failure));
    }
    printLine(line);
}

void ProgressPrinter::qualityKnown(const core::OutputQuality&) {}

void ProgressPrinter::happened(const core::RunEvent& event)
{
    m_complete = m_complete || event.kind == core::EventKind::Complete;
    if (event.kind == core::EventKind::Warning)
        printLine("warning: " + core::cleanLine(core::eventText(event)));
}

void ProgressPrinter::logged(const std::string&) {}

void ProgressPrinter::finished(const core::Status& status, core::RunData data)
{
    if (m_barShown)
        eraseLine();
    m_barShown = false;
    m_status = status;
    m_data = std::move(data);
}

}  // namespace qs::app
