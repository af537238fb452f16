#pragma once

#include "core/analysis/analysis.h"
#include "core/run/run_observer.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace qs::app {

// What a run has told since the last look, in order within each kind.
struct RunNews {
    std::optional<core::RunData> planned;
    core::Analysis analysis;  // of what was planned, for the baseline of its preset; points into it
    std::optional<core::Plan>
        grown;  // the plan after cells were appended to it; newer than planned
    std::vector<core::Measurement> measurements;
    std::vector<core::OutputQuality> qualities;
    std::vector<core::RunEvent> events;
    std::vector<std::string> lines;  // at most the last kMostLines
    int linesLost = 0;
    std::optional<core::RunProgress> progress;  // the newest
    std::optional<core::Status> finished;       // after everything else

    static constexpr std::size_t kMostLines = 2000;
};

// Collects what the session's thread tells until another thread takes it. `wake` is called on the
// session's thread when there is news after none.
class RunObserverBridge final : public core::RunObserver
{
public:
    explicit RunObserverBridge(std::function<void()> wake) : m_wake(std::move(wake)) {}

    // Any thread.
    [[nodiscard]] RunNews take();

    void planned(const core::RunData& data) override;
    void planGrew(const core::Plan& plan) override;
    void progressed(const core::RunProgress& progress) override;
    void measured(const core::Measurement& row) override;
    void qualityKnown(const core::OutputQuality& quality) override;
    void happened(const core::RunEvent& event) override;
    void logged(const std::string& line) override;
    void finished(const core::Status& status, core::RunData data) override;

private:
    // Changes the news under the lock and wakes once.
    template <typename Change>
    void tell(Change change);

    std::function<void()> m_wake;
    std::mutex m_mutex;
    RunNews m_news;
    bool m_told = false;
};

}  // namespace qs::app
