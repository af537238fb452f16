#include "core/run/output_comparison.h"

#include "core/record/run_folder.h"
#include "core/run/quality.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

Result<std::vector<PictureQuality>> compareWithInput(const std::filesystem::path& runFolder,
                                                     const PlannedCell& cell, int pictures)
{
    QS_TRY(const FloatArray inputs, readNpy(inputArray(runFolder, cell.config.imageSize)));
    return compareWithInputs(runFolder, cell.id, inputs, pictures);
}

}  // namespace

OutputComparison::OutputComparison(std::filesystem::path runFolder, const RunData& data)
    : m_runFolder(std::move(runFolder))
{
    for (const Measurement& row : data.measurements) {
        const auto kept =
            std::count_if(row.result.outputs.begin(), row.result.outputs.end(),
                          [](const OutputRecord& output) { return !output.file.empty(); });
        if (row.ok() && kept > 0)
            m_stored[row.cellId] = static_cast<int>(kept);
    }
    for (const PictureQuality& quality : data.qualities)
        m_compared.insert({quality.cellId, quality.referenceId, quality.picture});
}

bool OutputComparison::hasOutputs(const std::string& cellId) const
{
    return m_stored.contains(cellId);
}

void OutputComparison::outputsStored(const std::string& cellId, int pictures)
{
    m_stored[cellId] = pictures;
}

OutputComparison::Outcome OutputComparison::compare(const PlannedCell& cell)
{
    Outcome outcome;
    const auto stored = m_stored.find(cell.id);
    if (stored == m_stored.end())
        return outcome;
    if (cell.trained && !compared(cell.id, "input", stored->second))
        add(compareWithInput(m_runFolder, cell, stored->second), cell.id, "its input", outcome);
    const auto reference = m_stored.find(cell.referenceId);
    if (cell.referenceId == cell.id || reference == m_stored.end())
        return outcome;
    const int pictures = std::min(stored->second, reference->second);
    if (!compared(cell.id, cell.referenceId, pictures))
        add(compareCells(m_runFolder, cell.id, cell.referenceId, pictures), cell.id,
            "its reference", outcome);
    return outcome;
}

bool OutputComparison::compared(const std::string& cell, const std::string& reference,
                                int pictures) const
{
    for (int picture = 0; picture < pictures; ++picture) {
        if (!m_compared.contains({cell, reference, picture}))
            return false;
    }
    return true;
}

void OutputComparison::add(const Result<std::vector<PictureQuality>>& qualities,
                           const std::string& cell, const std::string& with, Outcome& outcome)
{
    if (!qualities.ok()) {
        outcome.notes.push_back("the outputs of cell " + cell + " cannot be compared with " + with +
                                ": " + qualities.error().message);
        return;
    }
    for (const PictureQuality& quality : qualities.value()) {
        if (m_compared.insert({quality.cellId, quality.referenceId, quality.picture}).second)
            outcome.qualities.push_back(quality);
    }
}

}  // namespace qs::core
