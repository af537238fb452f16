#include "core/analysis/row_figures.h"

#include "core/base/utc_time.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace qs::core {

namespace {

// PyTorch is imported once for all that a cell compiles.
void leaveOutImport(StageCompile& stage)
{
    const auto import =
        std::find_if(stage.coldParts.begin(), stage.coldParts.end(),
                     [](const CompilePart& part) { return part.name == kImportPart; });
    if (import == stage.coldParts.end())
        return;
    stage.coldSeconds = std::max(0.0, stage.coldSeconds - import->seconds);
    stage.warmSeconds = std::max(0.0, stage.warmSeconds - import->seconds);
    stage.coldParts.erase(import);
}

RowEvidence evidenceOf(const Measurement& row)
{
    const CellResult& result = row.result;
    RowEvidence evidence{.environmentId = row.environmentId,
                         .failure = row.failure,
                         .executed = result.executed,
                         .attention = result.attention,
                         .modelContent = result.modelContent,
                         .storage = result.storage,
                         .compiles = {},
                         .notes = result.notes,
                         .outputs = {}};
    std::set<std::string> paid;  // equal programs are compiled once
    for (StageCompile stage : result.compiles) {
        stage.products.clear();
        stage.fromCache = false;
        if (!paid.empty())
            leaveOutImport(stage);
        if (!paid.insert(stage.content).second) {
            stage.coldSeconds = 0.0;
            stage.warmSeconds = 0.0;
            stage.coldParts.clear();
        }
        evidence.compiles.push_back(std::move(stage));
    }
    evidence.outputs.reserve(result.outputs.size());
    for (const OutputRecord& output : result.outputs)
        evidence.outputs.push_back({output.picture, output.sha256});
    return evidence;
}

// Made ready to run, up to the end of the first pass; not the pass that only counts memory.
std::optional<double> startOf(const CellResult& result)
{
    const PhaseTime* compile = result.phase(Phase::Compile);
    if (compile == nullptr)
        return std::nullopt;
    const PhaseTime* memory = result.phase(Phase::MemoryPass);
    return std::max(0.0, compile->seconds - (memory == nullptr ? 0.0 : memory->seconds));
}

std::vector<StageFigures> stagesOf(const CellResult& result)
{
    std::vector<StageFigures> stages;
    stages.reserve(result.stages.size());
    for (const StageSamples& stage : result.stages) {
        if (const std::vector<double> seconds = result.counted(stage.seconds); !seconds.empty())
            stages.push_back({stage.stage, median(seconds), stage.peakBytes});
    }
    return stages;
}

// A normal distribution has its quartiles so many standard deviations apart.
constexpr double kQuartilesApart = 1.3489795003921634;
constexpr std::size_t kFewestForQuartiles = 4;

std::optional<double> varianceOf(const std::vector<double>& passes)
{
    if (passes.size() < kFewestForQuartiles)
        return std::nullopt;
    const Quartiles of = quartiles(sorted(passes));
    const double deviation = of.range() / kQuartilesApart / of.median;
    return deviation * deviation;
}

}  // namespace

RowFigures figuresOf(const Measurement& row)
{
    const CellResult& result = row.result;
    RowFigures figures;
    figures.round = row.round;
    figures.attempt = row.attempt;
    figures.evidence = std::make_shared<const RowEvidence>(evidenceOf(row));
    figures.passes = result.passSeconds();
    figures.seconds = figures.passes.empty() ? 0.0 : median(figures.passes);
    figures.variance = varianceOf(figures.passes);
    figures.cycles = medianCycles(result);
    if (const auto host = result.counted(result.hostSeconds); !host.empty())
        figures.hostSeconds = median(host);
    figures.stages = stagesOf(result);
    figures.beganAt = secondsFromUtc(row.startedAt);
    figures.durationSeconds = row.durationSeconds;
    figures.startSeconds = startOf(result);
    figures.firstSampleSeconds = result.firstSampleSeconds;
    figures.memory = result.memory;
    figures.weightsFileBytes = result.storage.fileBytes;
    figures.warmupEnd = result.warmupEnd;
    figures.othersCores = result.load.othersDuring;
    figures.device = deviceFiguresOf(row);
    if (auto division = timeDivisionOf(result))
        figures.division = std::make_shared<const TimeDivision>(std::move(*division));
    return figures;
}

}  // namespace qs::core
