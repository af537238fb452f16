#include "tests/run/fake_plan.h"

#include "core/base/files.h"
#include "core/sweep/cell_member.h"
#include "tests/support/test_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace qs::tests {

using namespace core;

std::string fakeWorker()
{
    return QS_FAKE_WORKER;
}

PlannedCell fakeCell(const std::string& model, std::int64_t batch, const std::string& precision)
{
    PlannedCell cell;
    cell.config.model = model;
    cell.config.precision = {precision};
    cell.config.batch = batch;
    cell.config.sizes.set("image_size", 32);
    cell.unitsPerPass = batch;
    cell.outputValues = std::int64_t{3} * 32 * 32;
    cell.id = cellId(cell.config, model);
    cell.estimatedSeconds = 0.1;
    return cell;
}

Plan fakePlan(std::vector<PlannedCell> cells, int rounds)
{
    Plan plan;
    plan.preset.name = "fake sweep";
    plan.preset.defaults = cells.front().config;
    plan.preset.rounds = rounds;
    plan.preset.pictures.count = 2;
    plan.cells = std::move(cells);
    return plan;
}

RunOptions fakeOptions(const std::filesystem::path& place, bool resume)
{
    return {.folder = place / "run",
            .workerProgram = fakeWorker(),
            .resourceFolder = dataFile("../resources"),
            // Whether the machine of the test is quiet is not what is tested.
            .systemRoot = place / "system",
            .resume = resume};
}

void RecordingObserver::planned(const RunData& data)
{
    note([&] {
        ++plannedCalls;
        atStart = data;
    });
}

void RecordingObserver::planGrew(const Plan& plan)
{
    note([&] { grown.push_back(plan); });
}

void RecordingObserver::progressed(const RunProgress& now)
{
    note([&] { progress.push_back(now); });
    if (onProgress)
        onProgress(now);
}

void RecordingObserver::measured(const Measurement& row)
{
    note([&] { rows.push_back(row); });
    if (onRow)
        onRow();
}

void RecordingObserver::qualityKnown(const OutputQuality& quality)
{
    note([&] { qualities.push_back(quality); });
}

void RecordingObserver::happened(const RunEvent& event)
{
    note([&] { events.push_back(event); });
}

void RecordingObserver::logged(const std::string& line)
{
    note([&] { lines.push_back(line); });
}

void RecordingObserver::finished(const Status& how, RunData)
{
    note([&] {
        ++finishedCalls;
        status = how;
    });
}

bool RecordingObserver::waitFor(const std::function<bool(const RecordingObserver&)>& condition)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(20), [&] { return condition(*this); });
}

std::vector<EventKind> RecordingObserver::eventKinds() const
{
    std::vector<EventKind> kinds;
    for (const RunEvent& event : events)
        kinds.push_back(event.kind);
    return kinds;
}

std::vector<NoteCode> RecordingObserver::eventCodes() const
{
    std::vector<NoteCode> codes;
    for (const RunEvent& event : events) {
        for (const Note& note : event.notes)
            codes.push_back(note.code);
    }
    return codes;
}

std::vector<int> childProcesses()
{
    std::vector<int> children;
    const std::string mine = std::to_string(::getpid());
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "status");
        for (std::string line; std::getline(file, line);) {
            if (line == "PPid:\t" + mine)
                children.push_back(std::stoi(name));
        }
    }
    return children;
}

}  // namespace qs::tests
