#pragma once

#include "core/base/result.h"
#include "core/device/host_room.h"
#include "core/device/nvml.h"
#include "core/record/run_data.h"
#include "core/run/path_trust.h"
#include "core/sweep/plan.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// What is going on in a run at this moment.
struct RunProgress {
    std::string cellId;  // empty between cells
    int round = 0;
    Phase phase = Phase::Start;
    double phaseFraction = 0.0;
    int step = 0;               // of Inputs: images that are ready …
    int steps = 0;              // … of so many; 0 where nothing is counted
    double phaseSeconds = 0.0;  // since this phase began
    int done = 0;               // rows of this plan that exist
    int total = 0;              // possible cells x rounds
    double elapsedSeconds = 0.0;
    double remainingSeconds = 0.0;  // estimate
    bool paused = false;
};

// Receives what a run does. Called on the session's thread: copy and hand over, do not block.
class RunObserver
{
public:
    virtual ~RunObserver() = default;
    virtual void planned(const RunData& data) = 0;  // once, before the first cell
    // Cells were appended. Comes before planned() if the session begins with that.
    virtual void planGrew(const Plan& plan) = 0;
    virtual void progressed(const RunProgress& progress) = 0;
    virtual void measured(const Measurement& row) = 0;
    virtual void qualityKnown(const PictureQuality& quality) = 0;
    virtual void happened(const RunEvent& event) = 0;
    virtual void logged(const std::string& line) = 0;
    // The last call. Ok also when it was stopped; an error says what ended the run itself:
    // Unsupported if it does not fit into the memory or onto the disk here, Cancelled if it was
    // stopped before it had begun. In both cases there is no run folder. `data` is the run as it
    // ended, for those who want to have it.
    virtual void finished(const Status& status, RunData data) = 0;
};

struct RunOptions {
    std::filesystem::path folder;         // of the run
    std::filesystem::path workerProgram;  // quantscope-worker
    std::filesystem::path resourceFolder;
    std::filesystem::path inputCache = {};   // see InputCache; empty: none
    std::filesystem::path systemRoot = "/";  // with /proc and /sys, see readCpuState()
    // That the paths of the plan are checked with, see Note [Path trust]; none: whoever starts the
    // session answers for them.
    std::optional<PathTrust> trust = {};
    std::vector<std::string> agreedPaths = {};  // that the user was shown and agreed to just now
    bool resume = false;                        // the folder holds a run to go on with
    bool retryFailed = false;                  // when resuming: cells that failed get a new attempt
    double maximumSeconds = 0.0;               // stopNow() after so long; 0 for no limit
    std::string nvmlLibrary = Nvml::kLibrary;  // that clocks and memory of GPUs are read with
    // Free space where a folder is or will be; see freeSpace().
    std::function<std::optional<std::uintmax_t>(const std::filesystem::path&)> freeSpace =
        [](const std::filesystem::path& folder) { return core::freeSpace(folder); };
};

// A sweep that runs on a thread of its own. The destructor stops it at once and waits.
class RunSession final
{
public:
    // `observer` must outlive the session. When resuming, the cells of the plan, if it has any, are
    // appended to the run; if they cannot be, the session fails and the run stays as it was.
    RunSession(Plan plan, RunOptions options, RunObserver& observer);
    ~RunSession();
    RunSession(const RunSession&) = delete;
    RunSession& operator=(const RunSession&) = delete;

    // From any thread.
    void stopAfterCell();
    void stopNow();
    void pause(bool paused);
    void skipCell();
    // Skips the running cell and all of its compile mode that have not been run.
    void skipCompileMode();
    // Makes this cell the next one, if it still has to come in this round.
    void bringForward(const std::string& cellId);
    // See core/sweep/append_plan.h; a plan that cannot be appended leaves a note among the events.
    // False if the run has just come to its end: then it can be resumed with the plan.
    [[nodiscard]] bool append(Plan addition);
    // Blocks until finished() was called.
    void wait();
    [[nodiscard]] bool running() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

// Asks a worker which devices it sees and what it is. Takes up to `timeoutSeconds`, less when
// stopped (the error is then Cancelled).
struct EngineDescription : EngineFacts {
    std::string whyNoGpu;
    std::vector<DeviceDescription> devices;
};
[[nodiscard]] Result<EngineDescription> describeEngine(const std::filesystem::path& workerProgram,
                                                       double timeoutSeconds,
                                                       const std::stop_token& stop = {});

}  // namespace qs::core
