#pragma once

#include "core/record/measurement.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qs::core {

// Start this cell in this round.
struct StartCell {
    std::size_t cell = 0;  // index into the plan
    int round = 0;
    int attempt = 0;
    // The next cell may use the worker of the one before (isolation "model" and the same weights).
    bool keepWorker = false;
};
// Write a row without running anything.
struct SkipCell {
    std::size_t cell = 0;
    int round = 0;
    int attempt = 0;
    Failure why;
};
// A new round begins; the order is written down so that the run can be judged. Rounds in which
// nothing is left to do are not announced.
struct BeginRound {
    int round = 0;
    std::vector<std::size_t> order;
};
// Paused: ask again after something happened.
struct Wait {
};
struct Finish {
    // Everything that can be measured is measured; not so if it was stopped, or a cell cancelled.
    bool complete = false;
};
using SchedulerCommand = std::variant<StartCell, SkipCell, BeginRound, Wait, Finish>;

// Decides what a run does next. Pure: no clock, no process, no file; events in, commands out.
// Rounds come one after the other, each in its own random order. A cell that ran out of memory,
// timed out, crashed or is unsupported is not tried again in later rounds; after an out-of-memory
// at batch b the larger batches of the same family (all else equal) are skipped. Rows that exist
// already are never repeated.
class Scheduler final
{
public:
    // `existing`: rows of an earlier session of the same plan; if an environment is named, those of
    // others count for nothing. `retryFailed` gives failed cells a new attempt.
    Scheduler(const Plan& plan, const std::vector<Measurement>& existing, bool retryFailed,
              const std::string& environmentId = {});

    // To be called when no cell is running.
    [[nodiscard]] SchedulerCommand next();

    // What became of a StartCell. A SkipCell needs no answer.
    void finished(std::size_t cell, int round, CellStatus status);
    // Cells of this compile mode that have not been run are skipped.
    void skipCompileMode(const std::string& mode);
    // The next cell of this round. False if it has nothing left to do in this round.
    [[nodiscard]] bool bringForward(std::size_t cell);
    // Cells were appended to the plan, with rounds that have not begun.
    void planGrew();
    void stop() { m_stopped = true; }
    void pause(bool paused) { m_paused = paused; }

    // Rows that exist, and rows that will exist at the end if nothing more fails. Cancelled rows
    // count for neither, nor do earlier attempts.
    [[nodiscard]] int rowsDone() const;
    [[nodiscard]] int rowsExpected() const;

private:
    struct CellState {
        std::map<int, int> attempts;  // of each round, so far
        std::set<int> rounds;         // that are settled
        bool failed = false;          // not to be tried again
        std::optional<Failure> skip;  // of the row that is still to be written
    };

    void takeOver(const std::vector<Measurement>& existing, bool retryFailed,
                  const std::string& environmentId);
    void note(std::size_t cell, int round, CellStatus status);
    [[nodiscard]] bool hasWork(std::size_t cell, int round) const;
    [[nodiscard]] SchedulerCommand commandFor(std::size_t cell);
    void skipLargerBatches(std::size_t cell);
    // Leaves a cell that nothing is known of alone for good.
    void skip(std::size_t cell, Failure why);
    void beginRound(int round);
    [[nodiscard]] bool complete() const;
    [[nodiscard]] std::string weightsOf(std::size_t cell) const;

    const Plan& m_plan;
    std::vector<CellState> m_states;
    std::vector<std::size_t> m_order;
    std::size_t m_position = 0;
    int m_round = -1;
    bool m_announceRound = false;
    bool m_stopped = false;
    bool m_paused = false;
    std::string m_lastWeights;
    std::vector<std::size_t> m_outOfMemory;  // cells whose larger batches are left alone
};

}  // namespace qs::core
