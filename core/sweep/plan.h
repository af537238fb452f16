#pragma once

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/base/result.h"
#include "core/device/description.h"
#include "core/lower/compiled_work.h"
#include "core/model/workload.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Outputs of so many pictures are kept per cell at most.
inline constexpr int kKeptOutputs = 16;

// Rounds `first` … first + count - 1.
struct RoundSpan {
    int first = 0;
    int count = 0;

    [[nodiscard]] int end() const { return first + count; }
    bool operator==(const RoundSpan&) const = default;
};

// A cell with all that is known before it runs.
struct PlannedCell {
    std::string id;  // of the configuration; a rerun of the reference has its own
    CellConfig config;
    CellRole role = CellRole::Swept;
    int rerun = 0;
    std::string
        referenceId;  // the quality reference it is compared with; its own id for the reference
    std::optional<Note> impossible;  // why it cannot run here
    std::vector<Note> notes;         // reference paths, paddings
    double estimatedSeconds = 0.0;   // of one round, all phases
    double compileSeconds = 0.0;     // of these; known while planning, not kept in plan.json
    double flops = 0.0;              // of one pass
    std::int64_t weightBytes = 0;    // resident under the recipe
    // Of these in a pass: of a table the rows asked for; unknown of the shipped examples.
    std::optional<std::int64_t> weightBytesRead = {};
    bool trained = false;                   // outputs mean something, see Model
    OutputKind output = OutputKind::Image;  // what its outputs are
    WorkUnit unit = WorkUnit::Image;        // what a pass makes …
    std::int64_t unitsPerPass = 1;          // … so many of
    std::int64_t outputValues = 0;          // of one sample
    // `flops` by stage, where there are several.
    std::vector<double> stageFlops = {};
    // Of `flops`, those in layers that the recipe quantizes.
    double quantizedFlops = 0.0;
    // Of the FLOPs in blocks, those of attention; 0 without attention, and where nothing compiles.
    double attentionShare = 0.0;
    std::optional<CompiledShare> compiled = std::nullopt;  // where a compiler takes part
    std::vector<SampleAmount> amounts = {};  // that a sample is made of, beside its unit
    // SHA-256 of the files that its calibration samples come from; empty: they are generated, or
    // there are none.
    std::string calibration = {};
    // SHA-256 of the compiled program that it runs; empty: it runs operations.
    std::string program = {};
    // "vitok:w64_d2_h2/1x8x16": of weights in files, the name that makes such a model; empty: its
    // own name does, or none.
    std::string architecture = {};
    // The rounds that it takes part in; empty for 0 … preset.rounds - 1. See Note [Appended cells].
    std::vector<RoundSpan> rounds;

    [[nodiscard]] bool possible() const { return !impossible; }
    // "FAMILY:VARIANT" of a model of a family, whether it is a name or a checkpoint.
    [[nodiscard]] const std::string& modelName() const
    {
        return architecture.empty() ? config.model : architecture;
    }
};

// The fp32 run that stands for what the model means: eager, all layers, added for the noise floor
// or swept.
[[nodiscard]] bool isGoldenRun(const PlannedCell& cell);

// "inputs/calibration/0123456789abcdef": where a run keeps its copies of the calibration set of a
// cell, by content, so that cells that are appended when its files have changed get those.
[[nodiscard]] std::string calibrationFolderOf(const PlannedCell& cell);

// Rounds that were added to settle comparisons. See Note [Looks] in core/sweep/settle_plan.h.
struct Look {
    RoundSpan rounds;
    std::vector<std::string> cellIds;  // that were open; what they are compared with is not named
};

// What a run is going to do; once the run has begun, cells and rounds can be appended but nothing
// is changed.
struct Plan {
    Preset preset;
    std::vector<Preset> appended;  // sweeps whose cells were appended later, in order
    std::vector<Look> looks;       // in order; that of the plan as it began is not among them
    std::vector<PlannedCell> cells;
    std::vector<DeviceDescription> devices;

    [[nodiscard]] const PlannedCell* find(const std::string& id) const;
    [[nodiscard]] int possibleCells() const;
    // One more than the last round of any cell.
    [[nodiscard]] int rounds() const;
    [[nodiscard]] bool hasRound(const PlannedCell& cell, int round) const;
    [[nodiscard]] int roundsOf(const PlannedCell& cell) const;
    // For one of its own cells. What it had stays; a cell with the rounds of the preset has them
    // named from then on.
    void addRounds(PlannedCell& cell, const RoundSpan& span) const;
    // All rounds of all possible cells.
    [[nodiscard]] int plannedRows() const;
    // All rounds of all possible cells.
    [[nodiscard]] double estimatedSeconds() const;
    [[nodiscard]] double compileSeconds() const;
    // What the run folder will take on disk: pictures that go in and come out, and the journal.
    [[nodiscard]] std::int64_t estimatedBytes() const;
};

// Whether no cell has trained weights: then nothing is said of quality.
[[nodiscard]] bool isUntrained(const Plan& plan);
// Whether labels of samples tell something: an accuracy, or that of nearest neighbours.
[[nodiscard]] bool scoresLabels(const Plan& plan);

struct PlanOptions {
    std::vector<DeviceDescription> devices;  // what is there, or what is planned for
    std::filesystem::path resourceFolder;    // of shipped models
    bool manyAllowed = false;                // more than kCellsWithoutAsking cells
};

// Expands the preset and asks of each cell whether and how it can run. Opens each model once.
[[nodiscard]] Result<Plan> makePlan(const Preset& preset, const PlanOptions& options);

[[nodiscard]] Json toJson(const Plan& plan);
[[nodiscard]] Result<Plan> planFromJson(const JsonView& json);

// The cells of one round in a random order that depends on the preset's order seed and the round
// alone, but for quality references and golden runs in their first round: they come before all
// others, so that whatever is measured after them can be judged at once. Of a round that the plan
// does not have: none.
[[nodiscard]] std::vector<std::size_t> roundOrder(const Plan& plan, int round);

}  // namespace qs::core
