#pragma once

#include "core/base/npy.h"
#include "core/record/output_places.h"
#include "core/record/picture_labels.h"
#include "core/record/run_data.h"
#include "core/run/uncompiled_cells.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace qs::core {

// Knows which cells of a run have stored outputs, and compares each of them once with its input,
// with its reference, with the fp32 golden run of the same reference and with the same cell
// uncompiled, as soon as both are there.
// Only what was made in the same environment is compared. Reads the run folder, writes nothing.
class OutputComparison final
{
public:
    // Takes over what `data` says an earlier session has stored and compared. `data` must outlive
    // the object: its plan may grow.
    OutputComparison(std::filesystem::path runFolder, const RunData& data);

    [[nodiscard]] const OutputPlaces& outputs() const { return m_outputs; }
    // Where outputs lie, or would lie; see outputPlace().
    [[nodiscard]] std::string place(const std::string& cellId,
                                    const std::string& environmentId) const;
    void measured(const Measurement& row) { m_outputs.add(row); }
    // Of the reference of a cell from its golden run, as relative L2 in the mean; nothing until
    // both were compared, and where they are equal.
    [[nodiscard]] std::optional<double> bf16FromFp32(const PlannedCell& cell,
                                                     const std::string& environmentId);
    // The cells of the plan that have this reference, itself among them; until the plan grows.
    [[nodiscard]] std::vector<const PlannedCell*> cellsOf(const std::string& referenceId);

    // What can be said of what this cell gave in an environment and has not been said before; of a
    // golden run also what it says about the others. Less of it when stopped: then it can be asked
    // for again.
    struct Outcome {
        std::vector<OutputQuality> qualities;
        std::vector<Note> problems;  // outputs that cannot be compared, and why
    };
    [[nodiscard]] Outcome compare(const PlannedCell& cell, const std::string& environmentId,
                                  const std::stop_token& stop = {});

private:
    // One cell beside another or its input, in one environment.
    struct Pair {
        std::string cellId;
        std::string referenceId;
        std::string environmentId;
    };
    void compareWithInput(const PlannedCell& cell, const std::string& environmentId,
                          const std::stop_token& stop, Outcome& outcome);
    void compareWithLabels(const PlannedCell& cell, const std::string& environmentId,
                           const std::stop_token& stop, Outcome& outcome);
    [[nodiscard]] Result<std::vector<OutputQuality>>
    rightNeighbours(const PlannedCell& cell, const std::string& environmentId, int samples,
                    const PictureLabels& labels, const std::stop_token& stop) const;
    [[nodiscard]] Result<std::vector<OutputQuality>>
    rightClasses(const PlannedCell& cell, const std::string& environmentId, int samples,
                 const PictureLabels& labels, const std::stop_token& stop) const;
    void compareWithText(const PlannedCell& cell, const std::string& environmentId,
                         const std::stop_token& stop, Outcome& outcome);
    void compareWithCell(const PlannedCell& cell, const std::string& referenceId,
                         const std::string& environmentId, const std::string& name,
                         const std::stop_token& stop, Outcome& outcome);
    using ReadReference = std::function<Result<FloatArray>(int sample)>;
    [[nodiscard]] Result<std::vector<OutputQuality>>
    compareWith(const PlannedCell& cell, const std::string& environmentId, int samples,
                const ReadReference& reference, const std::stop_token& stop) const;
    // Of logits: those of texts that cells wrote as far as both had written the same.
    [[nodiscard]] Result<std::vector<OutputQuality>>
    compareTexts(const PlannedCell& cell, const std::string& environmentId, int samples,
                 const std::string& referenceFolder, const std::stop_token& stop) const;
    void compareWithUncompiled(const PlannedCell& cell, const std::string& environmentId,
                               const std::stop_token& stop, Outcome& outcome);
    void compareWithGolden(const PlannedCell& cell, const std::string& environmentId,
                           const std::stop_token& stop, Outcome& outcome);
    void add(Result<std::vector<OutputQuality>> qualities, const Pair& pair,
             const std::string& with, Outcome& outcome);
    [[nodiscard]] bool compared(const Pair& pair, int samples) const;
    // What shares a reference, by indices: the plan only ever grows at its end.
    struct Family {
        std::vector<std::size_t> cells;
        std::optional<std::size_t> golden;  // the first fp32 golden run
    };
    [[nodiscard]] const Family& familyOf(const std::string& referenceId);

    std::filesystem::path m_runFolder;
    const Plan& m_plan;
    const std::vector<OutputQuality>& m_qualities;
    OutputPlaces m_outputs;
    UncompiledCells m_uncompiled;
    std::unordered_map<std::string, Family> m_families;  // by reference
    std::size_t m_known = 0;                             // cells of the plan that are in them
    // Cell, reference, environment, sample.
    std::set<std::tuple<std::string, std::string, std::string, int>> m_compared;
};

}  // namespace qs::core
