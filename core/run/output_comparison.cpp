#include "core/run/output_comparison.h"

#include "core/analysis/noise_floors.h"
#include "core/record/run_folder.h"
#include "core/run/quality.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace qs::core {

OutputComparison::OutputComparison(std::filesystem::path runFolder, const RunData& data)
    : m_runFolder(std::move(runFolder)), m_plan(data.plan), m_outputs(data.measurements)
{
    for (const PictureQuality& quality : data.qualities)
        m_compared.insert(
            {quality.cellId, quality.referenceId, quality.environmentId, quality.picture});
}

OutputComparison::Outcome OutputComparison::compare(const PlannedCell& cell,
                                                    const std::string& environmentId,
                                                    const std::stop_token& stop)
{
    Outcome outcome;
    if (m_outputs.pictures(cell.id, environmentId) == 0)
        return outcome;
    if (cell.trained)
        compareWithInput(cell, environmentId, stop, outcome);
    compareWithCell({cell.id, cell.referenceId, environmentId}, "reference", stop, outcome);
    compareWithGolden(cell, environmentId, stop, outcome);
    return outcome;
}

void OutputComparison::compareWithInput(const PlannedCell& cell, const std::string& environmentId,
                                        const std::stop_token& stop, Outcome& outcome)
{
    const Pair pair{cell.id, kInputId, environmentId};
    const int pictures = m_outputs.pictures(cell.id, environmentId);
    if (compared(pair, pictures))
        return;
    add(compareWithInputs(m_runFolder, place(cell.id, environmentId), cell.config.imageSize,
                          pictures, stop),
        pair, "input", outcome);
}

void OutputComparison::compareWithCell(const Pair& pair, const std::string& name,
                                       const std::stop_token& stop, Outcome& outcome)
{
    const int pictures = std::min(m_outputs.pictures(pair.cellId, pair.environmentId),
                                  m_outputs.pictures(pair.referenceId, pair.environmentId));
    if (pair.cellId == pair.referenceId || pictures == 0 || compared(pair, pictures))
        return;
    add(comparePlaces(m_runFolder, place(pair.cellId, pair.environmentId),
                      place(pair.referenceId, pair.environmentId), pictures, stop),
        pair, name, outcome);
}

void OutputComparison::compareWithGolden(const PlannedCell& cell, const std::string& environmentId,
                                         const std::stop_token& stop, Outcome& outcome)
{
    const Family& family = familyOf(cell.referenceId);
    if (!family.golden)
        return;
    const PlannedCell& golden = m_plan.cells[*family.golden];
    const std::string name = "fp32 run";
    if (golden.id != cell.id) {
        compareWithCell({cell.id, golden.id, environmentId}, name, stop, outcome);
        return;
    }
    for (const std::size_t other : family.cells)
        compareWithCell({m_plan.cells[other].id, cell.id, environmentId}, name, stop, outcome);
}

const OutputComparison::Family& OutputComparison::familyOf(const std::string& referenceId)
{
    for (; m_known < m_plan.cells.size(); ++m_known) {
        const PlannedCell& cell = m_plan.cells[m_known];
        Family& family = m_families[cell.referenceId];
        family.cells.push_back(m_known);
        if (!family.golden && isGoldenRun(cell))
            family.golden = m_known;
    }
    return m_families[referenceId];
}

std::vector<const PlannedCell*> OutputComparison::cellsOf(const std::string& referenceId)
{
    std::vector<const PlannedCell*> cells;
    for (const std::size_t each : familyOf(referenceId).cells)
        cells.push_back(&m_plan.cells[each]);
    return cells;
}

bool OutputComparison::compared(const Pair& pair, int pictures) const
{
    for (int picture = 0; picture < pictures; ++picture) {
        if (!m_compared.contains({pair.cellId, pair.referenceId, pair.environmentId, picture}))
            return false;
    }
    return true;
}

void OutputComparison::add(Result<std::vector<PictureQuality>> qualities, const Pair& pair,
                           const std::string& with, Outcome& outcome)
{
    if (!qualities.ok() && qualities.error().code == ErrorCode::Cancelled)
        return;
    if (!qualities.ok()) {
        outcome.problems.push_back(
            {NoteCode::OutputsNotCompared, {pair.cellId, with, qualities.error().message}});
        return;
    }
    for (PictureQuality& quality : qualities.value()) {
        quality.cellId = pair.cellId;
        quality.referenceId = pair.referenceId;
        quality.environmentId = pair.environmentId;
        // The journal refuses what nobody could read back, and the run would end with it.
        if (const auto back = pictureQualityFromJson(toJson(quality)); !back.ok()) {
            outcome.problems.push_back(
                {NoteCode::ComparisonNotStored, {pair.cellId, with, back.error().message}});
            continue;
        }
        if (!m_compared.insert({pair.cellId, pair.referenceId, pair.environmentId, quality.picture})
                 .second)
            continue;
        outcome.qualities.push_back(std::move(quality));
    }
}

std::string OutputComparison::place(const std::string& cellId,
                                    const std::string& environmentId) const
{
    return outputPlace(cellId, m_outputs.subfolder(cellId, environmentId));
}

}  // namespace qs::core
