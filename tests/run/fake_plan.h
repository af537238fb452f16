#pragma once

#include "core/run/run_session.h"
#include "core/sweep/plan.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

// Plans of cells for the fake worker, and an observer that remembers. Plans are made by hand,
// because planning refuses models that do not exist.
namespace qs::tests {

// The program of tests/run/fake_worker.cpp.
[[nodiscard]] std::string fakeWorker();

// A possible cell of 32 px on the CPU; equal arguments give equal ids.
[[nodiscard]] core::PlannedCell fakeCell(const std::string& model, std::int64_t batch = 1,
                                         const std::string& precision = "bf16");
// Limits are short: hanging phases end after 0.3 s. Two procedural pictures.
[[nodiscard]] core::Plan fakePlan(std::vector<core::PlannedCell> cells, int rounds = 1);

// A session of the fake worker with its run in `place`/run.
[[nodiscard]] core::RunOptions fakeOptions(const std::filesystem::path& place, bool resume = false);

// Keeps all that a session tells. `onProgress` and `onRow` may be set before the session starts.
class RecordingObserver final : public core::RunObserver
{
public:
    void planned(const core::RunData& data) override;
    void planGrew(const core::Plan& plan) override;
    void progressed(const core::RunProgress& progress) override;
    void measured(const core::Measurement& row) override;
    void qualityKnown(const core::OutputQuality& quality) override;
    void happened(const core::RunEvent& event) override;
    void logged(const std::string& line) override;
    void finished(const core::Status& status, core::RunData data) override;

    // Waits until the condition holds for what was observed; false if it does not within 20 s.
    [[nodiscard]] bool waitFor(const std::function<bool(const RecordingObserver&)>& condition);
    [[nodiscard]] std::vector<core::EventKind> eventKinds() const;
    [[nodiscard]] std::vector<core::NoteCode> eventCodes() const;

    std::function<void(const core::RunProgress&)> onProgress;
    std::function<void()> onRow;  // stored, and its outputs not yet compared
    int plannedCalls = 0;
    int finishedCalls = 0;
    core::RunData atStart;
    std::vector<core::Plan> grown;
    std::vector<core::RunProgress> progress;
    std::vector<core::Measurement> rows;
    std::vector<core::OutputQuality> qualities;
    std::vector<core::RunEvent> events;
    std::vector<std::string> lines;
    core::Status status;

private:
    template <typename Change>
    void note(const Change& change)
    {
        {
            const std::lock_guard lock(m_mutex);
            change();
        }
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
};

// Processes whose parent is this one, zombies included.
[[nodiscard]] std::vector<int> childProcesses();

}  // namespace qs::tests
