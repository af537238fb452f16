#include "core/run/scheduler.h"
#include "core/sweep/cell_member.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace qs::core {

namespace {

// After these the same configuration would fail again: it is left alone until somebody retries it.
bool isFinal(CellStatus status)
{
    switch (status) {
    case CellStatus::Oom:
    case CellStatus::Timeout:
    case CellStatus::Crashed:
    case CellStatus::Failed:
    case CellStatus::CompileError:
    case CellStatus::Unsupported:
    case CellStatus::NonFinite:
    case CellStatus::Differs:
    case CellStatus::Skipped:
        return true;
    case CellStatus::Ok:
    case CellStatus::Cancelled:
        return false;
    }
    QS_ASSERT(false);
    return true;
}

}  // namespace

Scheduler::Scheduler(const Plan& plan, const std::vector<Measurement>& existing, bool retryFailed,
                     const std::string& environmentId)
    : m_plan(plan), m_states(plan.cells.size())
{
    takeOver(existing, retryFailed, environmentId);
}

void Scheduler::takeOver(const std::vector<Measurement>& existing, bool retryFailed,
                         const std::string& environmentId)
{
    std::unordered_map<std::string_view, std::size_t> byId;
    for (std::size_t i = 0; i < m_plan.cells.size(); ++i)
        byId.emplace(m_plan.cells[i].id, i);
    // The last attempt decides: a cell that failed and was mended is not failed.
    std::map<std::pair<std::size_t, int>, const Measurement*> last;
    for (const Measurement& row : existing) {
        const auto found = byId.find(row.cellId);
        const bool counts = environmentId.empty() || row.environmentId == environmentId;
        if (found == byId.end() || !counts)
            continue;
        int& attempts = m_states[found->second].attempts[row.round];
        if (row.attempt + 1 > attempts)
            last[{found->second, row.round}] = &row;
        attempts = std::max(attempts, row.attempt + 1);
    }
    for (const auto& [key, row] : last) {
        if (retryFailed && isFinal(row->status()))
            continue;
        if (row->status() == CellStatus::Oom)
            m_outOfMemory.push_back(key.first);
        note(key.first, key.second, row->status());
    }
    // After all rows are known: a larger batch that did run is left alone.
    for (const std::size_t cell : m_outOfMemory)
        skipLargerBatches(cell);
}

void Scheduler::note(std::size_t cell, int round, CellStatus status)
{
    CellState& state = m_states[cell];
    if (status != CellStatus::Cancelled)
        state.rounds.insert(round);
    state.failed = state.failed || isFinal(status);
}

void Scheduler::skipLargerBatches(std::size_t cell)
{
    const CellConfig& full = m_plan.cells[cell].config;
    for (std::size_t i = 0; i < m_plan.cells.size(); ++i) {
        if (m_plan.cells[i].config.batch <= full.batch)
            continue;
        CellConfig other = m_plan.cells[i].config;
        other.batch = full.batch;
        if (other == full)
            skip(i, {.kind = FailureKind::SmallerBatchOutOfMemory, .amount = double(full.batch)});
    }
}

void Scheduler::skipCompileMode(const std::string& mode)
{
    const Failure why{.kind = FailureKind::ModeSkipped, .detail = mode};
    for (std::size_t i = 0; i < m_plan.cells.size(); ++i) {
        if (m_plan.cells[i].possible() && m_plan.cells[i].config.compile == mode)
            skip(i, why);
    }
    if (m_position == 0)
        return;
    // The cell that has just been ended comes once more, to get its row: also if it was measured
    // in a round before, or it would be started again.
    CellState& ended = m_states[m_order[--m_position]];
    if (ended.rounds.contains(m_round))
        return;  // it was ready before
    ended.failed = true;
    ended.skip = why;
}

bool Scheduler::bringForward(std::size_t cell)
{
    const auto next = m_order.begin() + static_cast<std::ptrdiff_t>(m_position);
    const auto found = std::find(next, m_order.end(), cell);
    if (found == m_order.end() || !hasWork(cell, m_round))
        return false;
    std::rotate(next, found, found + 1);
    return true;
}

void Scheduler::planGrew()
{
    m_states.resize(m_plan.cells.size());
    for (const std::size_t cell : m_outOfMemory)
        skipLargerBatches(cell);
}

void Scheduler::skip(std::size_t cell, Failure why)
{
    CellState& state = m_states[cell];
    if (state.failed || !state.rounds.empty())
        return;
    state.failed = true;
    state.skip = std::move(why);
}

void Scheduler::beginRound(int round)
{
    m_round = round;
    m_position = 0;
    m_order = roundOrder(m_plan, round);
    m_announceRound = true;
    if (m_plan.preset.isolation != Isolation::Model)
        return;
    // Cells that share weights follow each other; groups and cells inside a group keep their random
    // order.
    std::map<std::string, std::size_t> firstSeen;
    for (const std::size_t cell : m_order)
        firstSeen.emplace(weightsOf(cell), firstSeen.size());
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return firstSeen.at(weightsOf(a)) < firstSeen.at(weightsOf(b));
    });
}

std::string Scheduler::weightsOf(std::size_t cell) const
{
    const PlannedCell& planned = m_plan.cells[cell];
    // A rerun measures what differs from process to process, so that it needs one of its own.
    return weightsKey(planned.config) +
           (planned.rerun > 0 ? "|again " + std::to_string(planned.rerun) : std::string());
}

bool Scheduler::hasWork(std::size_t cell, int round) const
{
    const CellState& state = m_states[cell];
    const PlannedCell& planned = m_plan.cells[cell];
    return planned.possible() && m_plan.hasRound(planned, round) && !state.rounds.contains(round) &&
           (!state.failed || state.skip);
}

bool Scheduler::complete() const
{
    const int rounds = m_plan.rounds();
    for (std::size_t cell = 0; cell < m_states.size(); ++cell) {
        for (int round = 0; round < rounds; ++round) {
            if (hasWork(cell, round))
                return false;
        }
    }
    return true;
}

SchedulerCommand Scheduler::commandFor(std::size_t cell)
{
    CellState& state = m_states[cell];
    const int attempt = state.attempts[m_round]++;
    if (state.failed) {
        state.rounds.insert(m_round);
        return SkipCell{cell, m_round, attempt, std::exchange(state.skip, {}).value_or(Failure{})};
    }
    const bool keep =
        m_plan.preset.isolation == Isolation::Model && m_lastWeights == weightsOf(cell);
    m_lastWeights = weightsOf(cell);
    return StartCell{cell, m_round, attempt, keep};
}

SchedulerCommand Scheduler::next()
{
    if (m_stopped)
        return Finish{false};
    if (m_paused)
        return Wait{};
    while (true) {
        if (m_round < 0 || m_position >= m_order.size()) {
            if (m_round + 1 >= m_plan.rounds())
                return Finish{complete()};
            beginRound(m_round + 1);
            continue;
        }
        const std::size_t cell = m_order[m_position];
        if (!hasWork(cell, m_round)) {
            ++m_position;
            continue;
        }
        if (m_announceRound) {
            m_announceRound = false;
            return BeginRound{m_round, m_order};
        }
        ++m_position;
        return commandFor(cell);
    }
}

void Scheduler::finished(std::size_t cell, int round, CellStatus status)
{
    note(cell, round, status);
    if (status == CellStatus::Oom) {
        m_outOfMemory.push_back(cell);
        skipLargerBatches(cell);
    }
    // A worker that failed is not used again.
    if (status != CellStatus::Ok)
        m_lastWeights.clear();
}

int Scheduler::rowsDone() const
{
    int rows = 0;
    for (const CellState& state : m_states)
        rows += static_cast<int>(state.rounds.size());
    return rows;
}

int Scheduler::rowsExpected() const
{
    int rows = 0;
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        if (m_plan.cells[i].possible())
            rows += m_states[i].failed
                        ? static_cast<int>(m_states[i].rounds.size()) + (m_states[i].skip ? 1 : 0)
                        : m_plan.roundsOf(m_plan.cells[i]);
    }
    return rows;
}

}  // namespace qs::core
