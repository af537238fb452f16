#include "core/report/profiles/profile_cells.h"

#include "core/record/run_folder.h"
#include "core/report/row_texts.h"
#include "core/report/words/failure_text.h"

#include <cmath>

namespace qs::core {

namespace {

constexpr double kNoSamples = 0.0;

Moments hostMoments(const Analysis& analysis, const Measurement& row)
{
    const CellSummary* summary = analysis.find(row.cellId);
    if (!row.ok() || summary == nullptr || summary->environmentId != row.environmentId)
        return {};
    return momentsOf(row.result.counted(row.result.hostSeconds));
}

}  // namespace

std::vector<const CellSummary*> profiledCells(const Analysis& analysis)
{
    std::vector<const CellSummary*> cells;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell->role != CellRole::NoiseFloor)
            cells.push_back(&summary);
    }
    return cells;
}

Result<HostTimes> hostTimes(const RunData& data, const Analysis& analysis)
{
    HostTimes times;
    QS_RETURN_IF_ERROR(forEachRow(data, [&](const Measurement& row) {
        return [&times, id = row.cellId, moments = hostMoments(analysis, row)] {
            if (moments.count() > 0)
                times[id].add(moments);
        };
    }));
    return times;
}

std::optional<double> populationDeviation(const Moments& moments)
{
    const auto count = static_cast<double>(moments.count());
    if (moments.count() == 0)
        return std::nullopt;
    if (moments.count() == 1)
        return kNoSamples;
    return moments.standardDeviation() * std::sqrt((count - 1.0) / count);
}

std::string whyNoFigures(const CellSummary& summary)
{
    if (!summary.cell->possible() || summary.failure)
        return reasonText(summary);
    return summary.roundsOk == 0 ? "not run yet" : "not measured";
}

int storedOutputs(const Analysis& analysis, const CellSummary& summary)
{
    return analysis.outputs.pictures(summary.cellId, summary.environmentId);
}

Result<FloatArray> storedOutput(const RunData& data, const Analysis& analysis,
                                const CellSummary& summary, int number)
{
    const std::string place = outputPlace(
        summary.cellId, analysis.outputs.subfolder(summary.cellId, summary.environmentId));
    return readNpy(outputArray(data.folder, place, number));
}

}  // namespace qs::core
