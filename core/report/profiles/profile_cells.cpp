#include "core/report/profiles/profile_cells.h"

#include "core/record/run_folder.h"
#include "core/report/row_texts.h"
#include "core/report/words/failure_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace qs::core {

namespace {

constexpr double kNoSamples = 0.0;

// Of the ok rows of the environment that the figures of their cell come from.
Result<HostTimes> timesOfRows(const RunData& data, const Analysis& analysis,
                              const std::function<Moments(const Measurement& row)>& momentsOfRow)
{
    HostTimes times;
    QS_RETURN_IF_ERROR(forEachRow(data, [&](const Measurement& row) {
        const CellSummary* summary = analysis.find(row.cellId);
        const bool counts =
            row.ok() && summary != nullptr && summary->environmentId == row.environmentId;
        return [&times, id = row.cellId, moments = counts ? momentsOfRow(row) : Moments()] {
            if (moments.count() > 0)
                times[id].add(moments);
        };
    }));
    return times;
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
    return timesOfRows(data, analysis, [](const Measurement& row) {
        return momentsOf(row.result.counted(row.result.hostSeconds));
    });
}

Result<HostTimes> phaseTimes(const RunData& data, const Analysis& analysis, Phase phase)
{
    return timesOfRows(data, analysis, [phase](const Measurement& row) {
        const PhaseTime* time = row.result.phase(phase);
        Moments moments;
        if (time != nullptr)
            moments.add(time->seconds);
        return moments;
    });
}

const DeviceDescription* measuredDevice(const RunData& data, const CellSummary& summary)
{
    const Environment* environment = data.environment(summary.environmentId);
    if (environment == nullptr)
        return nullptr;
    const auto found = std::find_if(
        environment->devices.begin(), environment->devices.end(),
        [&](const DeviceDescription& each) { return each.id == summary.cell->config.device; });
    return found == environment->devices.end() ? nullptr : &*found;
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

std::string whyNoMemory(const CellSummary& summary)
{
    if (!summary.measured)
        return whyNoFigures(summary);
    return summary.cell->config.device == "cpu" ? "a CPU has no allocator that counts"
                                                : "the memory self-test did not pass";
}

int storedOutputs(const Analysis& analysis, const CellSummary& summary)
{
    return analysis.outputs.pictures(summary.cellId, summary.environmentId);
}

std::string storedPlace(const Analysis& analysis, const CellSummary& summary)
{
    return outputPlace(summary.cellId,
                       analysis.outputs.subfolder(summary.cellId, summary.environmentId));
}

Error withoutPlace(const Error& error, const std::string& what)
{
    if (error.code == ErrorCode::NotFound)
        return {error.code, what + " are not part of this run folder"};
    return {error.code, what + " of this run folder cannot be read"};
}

Result<FloatArray> storedOutput(const RunData& data, const Analysis& analysis,
                                const CellSummary& summary, int number)
{
    auto output = readNpy(outputArray(data.folder, storedPlace(analysis, summary), number));
    return output.ok() ? std::move(output) : withoutPlace(output.error(), "the outputs");
}

}  // namespace qs::core
