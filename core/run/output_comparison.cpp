#include "core/run/output_comparison.h"

#include "core/record/quality_figures.h"
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
    : m_runFolder(std::move(runFolder)), m_plan(data.plan)
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
    compareWithCell(cell.id, cell.referenceId, "its reference", outcome);
    compareWithGolden(cell, outcome);
    return outcome;
}

void OutputComparison::compareWithCell(const std::string& cell, const std::string& other,
                                       const std::string& name, Outcome& outcome)
{
    const auto stored = m_stored.find(cell);
    const auto reference = m_stored.find(other);
    if (cell == other || stored == m_stored.end() || reference == m_stored.end())
        return;
    const int pictures = std::min(stored->second, reference->second);
    if (!compared(cell, other, pictures))
        add(compareCells(m_runFolder, cell, other, pictures), cell, name, outcome);
}

void OutputComparison::compareWithGolden(const PlannedCell& cell, Outcome& outcome)
{
    const PlannedCell* golden = goldenRunOf(m_plan, cell.referenceId);
    if (golden == nullptr)
        return;
    const std::string name = "the fp32 golden run";
    if (golden->id != cell.id) {
        compareWithCell(cell.id, golden->id, name, outcome);
        return;
    }
    for (const PlannedCell& other : m_plan.cells) {
        if (other.referenceId == cell.referenceId)
            compareWithCell(other.id, cell.id, name, outcome);
    }
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
