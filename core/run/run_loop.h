#pragma once

#include "core/run/live_samples.h"
#include "core/run/output_comparison.h"
#include "core/run/run_inputs.h"
#include "core/run/run_observer.h"
#include "core/run/run_options.h"
#include "core/run/run_pace.h"
#include "core/run/run_recorder.h"
#include "core/run/run_requests.h"
#include "core/run/run_room.h"
#include "core/run/scheduler.h"
#include "core/run/watched_supervisor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

// What the thread of a session does from the first look at the engine to the last row. Asks the
// scheduler what comes next, has the supervisor do it, and records what became of it.
class RunLoop final
{
public:
    // As for RunSession; `requests` must outlive the loop, too.
    RunLoop(Plan plan, RunOptions options, RunObserver& observer, RunRequests& requests);

    // To be called once.
    [[nodiscard]] Status run();
    // The last call: the run as it is then.
    [[nodiscard]] RunData takeData() { return std::move(m_data); }

private:
    [[nodiscard]] Status open();
    // See Note [Path trust].
    [[nodiscard]] Status checkPaths(const std::filesystem::path& folder) const;
    void agreeToPathsOf(const Plan& plan) const;
    // InvalidArgument if the plan runs a compiled program that the user does not trust.
    [[nodiscard]] Status checkPrograms(const Plan& plan) const;
    // One event with all that may make times on a processor scatter, if cells run there.
    [[nodiscard]] Status warnOfUnquietProcessor();
    [[nodiscard]] const std::filesystem::path& folder() const;
    [[nodiscard]] int rowsDone() const;
    // Nothing has changed after an error.
    [[nodiscard]] Status append(const Plan& addition);
    // Rows of another driver, PyTorch or machine never share a ratio with new ones, so they do not
    // spare this run anything.
    [[nodiscard]] Status takeUpRows();
    [[nodiscard]] Status noteOtherEnvironments(std::size_t others);
    [[nodiscard]] Status loop(Scheduler& scheduler, WatchedSupervisor& supervisor);
    [[nodiscard]] Status answerRequests(Scheduler& scheduler);
    // The order of a round is random; whoever judges the run must know of exceptions.
    [[nodiscard]] Status bringForward(Scheduler& scheduler, const std::string& id);
    // A full disk loses rows, so the run waits until there is space again or somebody stops it.
    [[nodiscard]] Status waitForSpace();
    [[nodiscard]] Status runCell(Scheduler& scheduler, WatchedSupervisor& supervisor,
                                 const StartCell& start);
    // Io if its model holds other weights than when the sweep was planned.
    [[nodiscard]] static Status checkModel(const PlannedCell& cell, const CellResult& result);
    [[nodiscard]] CellRequest requestFor(const PlannedCell& cell);
    [[nodiscard]] bool layersAreReported(const PlannedCell& cell) const;
    // A row that begins now.
    [[nodiscard]] Measurement newRow(const PlannedCell& cell, int round, int attempt) const;
    [[nodiscard]] Status addRow(const Measurement& row);
    // Artefacts first, then the row, then what was learnt from it.
    [[nodiscard]] Status finishRow(const PlannedCell& cell, Measurement& row, int kept);
    // Between cells, so that it never competes with a measurement for the processor. Outputs that
    // cannot be compared are worth a note; the measurements go on.
    [[nodiscard]] Status compareOutputsOf(const PlannedCell& cell, const std::string& environmentId,
                                          const std::stop_token& stop);
    // Of what was made in any environment.
    [[nodiscard]] Status compareWhatIsStored();
    [[nodiscard]] Status completeWhatIsStored(const PlannedCell& cell,
                                              const std::string& environmentId);
    // A warning; of many in a row, the log has the later ones.
    [[nodiscard]] Status warnOfComparison(const Note& problem);
    [[nodiscard]] Status writeSkip(const SkipCell& skip);
    [[nodiscard]] Status announceRound(const BeginRound& round);
    void report(Phase phase, double fraction);
    void reportInputs(int done, int expected);
    [[nodiscard]] RunProgress progressNow(Phase phase);

    RunOptions m_options;
    RunObserver& m_observer;
    RunRequests& m_requests;
    Plan m_appended;  // when resuming: what is appended before it goes on
    RunData m_data;
    std::string m_environmentId;
    std::vector<DeviceDescription> m_devices;       // of this computer
    std::map<std::string, std::string> m_compiler;  // see Environment
    std::optional<RunRecorder> m_recorder;
    Scheduler* m_scheduler = nullptr;
    std::optional<StartCell> m_current;
    LiveSamples m_live;  // of the current cell
    std::optional<OutputComparison> m_comparison;
    std::optional<RunRoom> m_room;
    std::optional<RunInputs> m_inputs;
    RunPace m_pace;
    int m_comparisonWarnings = 0;
};

}  // namespace qs::core
