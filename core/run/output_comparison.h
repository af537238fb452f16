#pragma once

#include "core/record/run_data.h"
#include "core/sweep/plan.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace qs::core {

// Knows which cells of a run have stored outputs, and compares each of them once with its input,
// with its reference and with the fp32 golden run of the same reference, as soon as both are there.
// Reads the run folder, writes nothing.
class OutputComparison final
{
public:
    // Takes over what `data` says an earlier session has stored and compared. `data` must outlive
    // the object: its plan may grow.
    OutputComparison(std::filesystem::path runFolder, const RunData& data);

    [[nodiscard]] bool hasOutputs(const std::string& cellId) const;
    void outputsStored(const std::string& cellId, int pictures);

    // What can be said of this cell now and has not been said before; of a golden run also what it
    // says about the others.
    struct Outcome {
        std::vector<PictureQuality> qualities;
        std::vector<std::string> notes;  // outputs that cannot be compared, and why
    };
    [[nodiscard]] Outcome compare(const PlannedCell& cell);

private:
    void compareWithCell(const std::string& cell, const std::string& other, const std::string& name,
                         Outcome& outcome);
    void compareWithGolden(const PlannedCell& cell, Outcome& outcome);
    void add(const Result<std::vector<PictureQuality>>& qualities, const std::string& cell,
             const std::string& with, Outcome& outcome);
    [[nodiscard]] bool compared(const std::string& cell, const std::string& reference,
                                int pictures) const;

    std::filesystem::path m_runFolder;
    const Plan& m_plan;
    std::map<std::string, int> m_stored;                             // pictures per cell
    std::set<std::tuple<std::string, std::string, int>> m_compared;  // cell, reference, picture
};

}  // namespace qs::core
