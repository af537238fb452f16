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

// Knows which cells of a run have stored outputs, and compares each of them once with its input and
// with its reference, as soon as both are there. Reads the run folder, writes nothing.
class OutputComparison final
{
public:
    // Takes over what `data` says an earlier session has stored and compared.
    OutputComparison(std::filesystem::path runFolder, const RunData& data);

    [[nodiscard]] bool hasOutputs(const std::string& cellId) const;
    void outputsStored(const std::string& cellId, int pictures);

    // What can be said of this cell now and has not been said before.
    struct Outcome {
        std::vector<PictureQuality> qualities;
        std::vector<std::string> notes;  // outputs that cannot be compared, and why
    };
    [[nodiscard]] Outcome compare(const PlannedCell& cell);

private:
    void add(const Result<std::vector<PictureQuality>>& qualities, const std::string& cell,
             const std::string& with, Outcome& outcome);
    [[nodiscard]] bool compared(const std::string& cell, const std::string& reference,
                                int pictures) const;

    std::filesystem::path m_runFolder;
    std::map<std::string, int> m_stored;                             // pictures per cell
    std::set<std::tuple<std::string, std::string, int>> m_compared;  // cell, reference, picture
};

}  // namespace qs::core
