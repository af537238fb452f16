#pragma once

#include "core/record/reference_results.h"
#include "core/report/profiles/profile_cells.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One layer, or the mean over layers of one type. Seconds.
struct SolvedFigure {
    Moments seconds = {};
    Moments loss = {};
};

// How the columns of a block are gone through: the parameter "by" of the scheme.
enum class GptqWay { Straight, Improved, Compiled, Kernel };

// Why a cell has no cold run.
inline constexpr const char* kNoColdRun =
    "the settings discard no first sample (warmup_samples), so that it counts as any other";

// A sample that quantized, in a process of one round.
struct GptqRun {
    bool cold = false;  // the first of its process, which is discarded
    // Read after the first sample of a process and after the last; nothing between them, and
    // without an allocator that counts.
    std::optional<MemoryFigures> memory = {};
};

// A cell that quantizes, over all its rounds.
struct GptqCell {
    const CellSummary* summary = nullptr;
    GptqWay way = GptqWay::Improved;
    std::vector<double> coldSeconds = {};  // the first sample of each process, if it is discarded
    std::vector<double> seconds = {};      // samples that count
    std::vector<GptqRun> runs = {};        // those of both, as they ran
    std::map<std::string, SolvedFigure> layers = {};  // by type: "q_proj"
    std::size_t models = 0;                           // whose layers these are, one of each row
    std::int64_t solvedLayers = 0;                    // of one model
    // Of another program that traced the same, if its results lie with the run: here nothing is
    // traced.
    std::optional<DynamoCounters> dynamo = std::nullopt;
    // The largest difference of two logits from those of the baseline; nothing without outputs.
    std::optional<double> logitDifference = std::nullopt;

    // Of its columns, as everywhere in this program: the whole call of the compiler. Nothing where
    // none was compiled.
    [[nodiscard]] const std::optional<CompileCost>& compile() const { return summary->compileCost; }
    // Its columns go through a program that was compiled before them.
    [[nodiscard]] bool compiles() const { return way == GptqWay::Compiled; }
    // Mean of the first samples, and compiling before them, with nothing cached.
    [[nodiscard]] std::optional<double> coldRun() const;
    // What the benchmark's table calls so: the cold run of what compiles; of all else the first
    // sample that counts, "Run 1".
    [[nodiscard]] std::optional<double> firstRun() const;
};

// What the benchmark calls a scenario: the same quantized in several ways, in one environment;
// cells without a row go with those that have one.
struct GptqScenario {
    // As the benchmark names it, where it has the model and the block; else made from both. Can be
    // the name of a folder.
    std::string name;
    // Its cells answer prompts with what they quantized once, for the benchmark's numerical check:
    // their times are those of passes.
    bool answers = false;
    std::vector<GptqCell> cells;

    // The first of its cells that was measured, or that failed where none was; that tells of the
    // machine. Else any.
    [[nodiscard]] const CellSummary& witness() const;
    // Null if the run has none.
    [[nodiscard]] const GptqCell* find(GptqWay way) const;
    // The mode "baseline" of the benchmark, and what stands for its mode "compiled": where nothing
    // compiled can answer, the improved one.
    [[nodiscard]] const GptqCell* baseline() const { return find(GptqWay::Straight); }
    [[nodiscard]] const GptqCell* compiled() const;
};

[[nodiscard]] Result<std::vector<GptqScenario>> gptqScenarios(const RunData& data,
                                                              const Analysis& analysis);

}  // namespace qs::core
