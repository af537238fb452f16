#include "core/report/profiles/vitok_run.h"

#include "core/analysis/cell_label.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr int kComparedOutputs = 5;  // as the benchmark keeps

// The script's name of a configuration; empty if it has none.
std::string scriptNameOf(const CellConfig& config)
{
    struct Name {
        const char* precision;
        const char* eager;
        const char* compiled;
    };
    static constexpr Name kNames[] = {
        {"bf16", "bf16_baseline", "bf16_compile"},
        {"float8dq-tensor", "fp8_only", "fp8_compile"},
        {"int8wo", "int8_weight_only", "int8_weight_compile"},
    };
    for (const Name& name : kNames) {
        if (precisionText(config) != name.precision)
            continue;
        if (config.compile == "none")
            return name.eager;
        if (config.compile == "inductor-reduce-overhead")
            return name.compiled;
    }
    return {};
}

}  // namespace

std::optional<double> VitokRun::seconds(const CellSummary& cell) const
{
    const auto found = times.find(cell.cellId);
    return found == times.end() ? std::nullopt : std::optional(found->second.mean());
}

std::optional<double> VitokRun::imagesPerSecond(const CellSummary& cell) const
{
    const auto own = seconds(cell);
    return own ? std::optional(static_cast<double>(cell.cell->config.batch) / *own) : std::nullopt;
}

const CellSummary* VitokRun::baselineOf(const CellSummary& cell) const
{
    return analysis.find(cell.cell->referenceId);
}

std::optional<double> VitokRun::speedup(const CellSummary& cell) const
{
    const CellSummary* baseline = baselineOf(cell);
    const auto own = seconds(cell);
    const auto base = baseline == nullptr ? std::nullopt : seconds(*baseline);
    if (!own || !base || baseline->environmentId != cell.environmentId)
        return std::nullopt;
    return *base / *own;
}

std::string VitokRun::configName(const CellSummary& summary) const
{
    const std::string name = scriptNameOf(summary.cell->config);
    const auto cells = profiledCells(analysis);
    const auto same = std::count_if(cells.begin(), cells.end(), [&](const CellSummary* each) {
        return scriptNameOf(each->cell->config) == name;
    });
    return !name.empty() && same == 1 ? name : analysis.labels.withBatch(*summary.cell);
}

Result<VitokRun> vitokRun(const RunData& data, const Analysis& analysis)
{
    QS_TRY(HostTimes times, hostTimes(data, analysis));
    return VitokRun{data, analysis, std::move(times),
                    picturesAgainstReference(data, analysis, kComparedOutputs),
                    picturesAgainstInput(data, analysis)};
}

}  // namespace qs::core
