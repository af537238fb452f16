#pragma once

#include "core/engine/execute/executor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace qs::engine {

// Note [Resting places]
// The samples of a calibration set rest at a place of the program where few values live, as between
// two blocks of a transformer. What stands in front of an instruction is computed from there for
// one sample at a time, each time it is asked for, and let go again. So there are what the samples
// hold at the resting place and all values of one of them, whatever their number; the price is that
// a block runs about twice, which is little beside solving its layers. A state is a sample's own
// from its first use to its last; before that all share the initial one.
class SampleWalk final
{
public:
    using Values = Executor::Values;
    // Gives the results of an instruction in its place.
    using Replacement = std::function<std::vector<at::Tensor>(const Values& values)>;

    // `stops`: instructions that will be asked for, rising. `graph`, that of the executor, and the
    // executor outlive the walk; `samples` stand at the first instruction.
    SampleWalk(const core::Graph& graph, const Executor& executor, std::vector<std::size_t> stops,
               std::vector<Values> samples);

    // That instruction runs so from now on.
    void replace(std::size_t instruction, Replacement by);
    // Shows each sample as it stands in front of that instruction; what is shown must not be kept.
    void visit(std::size_t instruction, const std::function<void(const Values& values)>& see);
    // Lets the samples go on towards the stop of that number, if there is a place to rest before
    // it; nothing before their place can be asked for any more.
    void goOnTowards(std::size_t stop);

    [[nodiscard]] std::size_t sampleCount() const { return m_samples.size(); }
    // The instruction that the samples rest in front of.
    [[nodiscard]] std::size_t place() const { return m_place; }

private:
    // The instructions between which a value is held.
    struct Life {
        std::size_t from = 0;  // alive in front of this one
        std::size_t to = 0;    // and in front of this one for the last time
    };

    void findLives();
    // What a sample holds, for instructions up to that one; copies where one of them changes
    // memory.
    void take(const Values& sample, std::size_t until, bool copies, Values& values) const;
    [[nodiscard]] bool changesMemory(std::size_t until) const;
    void run(std::size_t until, Values& values) const;
    [[nodiscard]] bool isOwnState(std::size_t slot, std::size_t until) const;
    // Where the least is held, of the places behind the present one up to that; the last of equals.
    [[nodiscard]] std::size_t emptiest(std::size_t last) const;

    const core::Graph& m_graph;
    const Executor& m_executor;
    std::vector<std::size_t> m_stops;
    std::vector<Values> m_samples;
    std::size_t m_place = 0;
    std::map<std::size_t, Replacement> m_replacements;
    std::vector<Life> m_lives;          // by slot
    std::vector<std::int64_t> m_inUse;  // bytes in front of each instruction, and at the end
    std::vector<std::size_t> m_held;    // slots that are no weights and no constants
    Values m_working;                   // of the sample that is looked at
};

}  // namespace qs::engine
