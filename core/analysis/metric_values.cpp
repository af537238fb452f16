#include "core/analysis/metric_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace qs::core {

namespace {

std::optional<double> ifMeasured(const CellSummary& summary, double value)
{
    return summary.measured ? std::optional(value) : std::nullopt;
}

std::optional<double> asNumber(const std::optional<std::int64_t>& value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// An output that equals the reference lies at no distance, however low the floor is.
std::optional<double> noise(const CellSummary& summary, const std::optional<double>& multiple)
{
    return !multiple && summary.identical() ? std::optional(0.0) : multiple;
}

std::optional<double> ofInput(const CellSummary& summary, const char* metric)
{
    return summary.reconstruction ? summary.reconstruction->mean(metric) : std::nullopt;
}

std::optional<double> compileSeconds(const CellSummary& summary, CompileStart start)
{
    return summary.compileCost ? std::optional(summary.compileCost->seconds(start)) : std::nullopt;
}

std::optional<double> breakEven(const CellSummary& summary, CompileStart start)
{
    const auto found = summary.compileCost ? summary.compileCost->breakEven(start) : std::nullopt;
    return found ? found->passes : std::nullopt;
}

std::optional<Interval> breakEvenInterval(const CellSummary& summary, CompileStart start)
{
    const auto found = summary.compileCost ? summary.compileCost->breakEven(start) : std::nullopt;
    return found ? found->interval : std::nullopt;
}

// Only where there are several.
std::optional<double> stageSeconds(const CellSummary& summary, std::size_t stage)
{
    const bool there =
        summary.measured && summary.stageSeconds.size() > 1 && stage < summary.stageSeconds.size();
    return there ? std::optional(summary.stageSeconds[stage]) : std::nullopt;
}

// Of a model that generates: the first token of each sequence is that of the first stage.
std::optional<double> furtherTokenSeconds(const CellSummary& summary)
{
    const auto seconds = stageSeconds(summary, 1);
    if (!seconds || summary.cell == nullptr || summary.cell->unit != WorkUnit::Token)
        return std::nullopt;
    const std::int64_t further = summary.cell->unitsPerPass / summary.cell->config.batch - 1;
    return further > 0 ? std::optional(*seconds / static_cast<double>(further)) : std::nullopt;
}

// Seconds of a pass over the units that it makes.
std::optional<Interval> unitInterval(const CellSummary& summary)
{
    if (!summary.secondsInterval || summary.cell == nullptr)
        return std::nullopt;
    const auto units = static_cast<double>(summary.cell->unitsPerPass);
    return Interval{.lower = summary.secondsInterval->lower / units,
                    .upper = summary.secondsInterval->upper / units};
}

// The amount of that kind that a pass makes; nothing for other models.
std::optional<double> amountOfPass(const CellSummary& summary, AmountKind kind)
{
    if (summary.cell == nullptr)
        return std::nullopt;
    for (const SampleAmount& amount : summary.cell->amounts) {
        if (amount.kind == kind && amount.ofSample > 0.0)
            return amount.ofSample * static_cast<double>(summary.cell->config.batch);
    }
    return std::nullopt;
}

MetricSource rateOf(AmountKind kind)
{
    return {[kind](const CellSummary& s) {
                const auto amount = amountOfPass(s, kind);
                return amount && s.measured && s.seconds > 0.0 ? std::optional(*amount / s.seconds)
                                                               : std::nullopt;
            },
            [kind](const CellSummary& s) -> std::optional<Interval> {
                const auto amount = amountOfPass(s, kind);
                if (!amount || !s.secondsInterval)
                    return std::nullopt;
                return inverted(*s.secondsInterval, *amount);
            }};
}

constexpr double kLandOfWorld = 149e6;  // square kilometres

MetricSource timeForLand()
{
    const auto times = [](const CellSummary& s) -> std::optional<double> {
        const auto area = amountOfPass(s, AmountKind::SquareKilometre);
        return area && s.measured ? std::optional(kLandOfWorld / *area) : std::nullopt;
    };
    return {
        [times](const CellSummary& s) {
            const auto passes = times(s);
            return passes ? std::optional(*passes * s.seconds) : std::nullopt;
        },
        [times](const CellSummary& s) -> std::optional<Interval> {
            const auto passes = times(s);
            if (!passes || !s.secondsInterval)
                return std::nullopt;
            return Interval{*passes * s.secondsInterval->lower, *passes * s.secondsInterval->upper};
        }};
}

// Amdahl's law: all work over what is not in quantized layers.
std::optional<double> attainableSpeedup(const CellSummary& summary)
{
    if (summary.cell == nullptr)
        return std::nullopt;
    const double rest = summary.cell->flops - summary.cell->quantizedFlops;
    return summary.cell->quantizedFlops > 0.0 && rest > 0.0
               ? std::optional(summary.cell->flops / rest)
               : std::nullopt;
}

std::optional<double> compiledPart(const CellSummary& summary, double CompiledShare::*part)
{
    const bool known = summary.cell != nullptr && summary.cell->compiled && summary.measured;
    return known ? std::optional((*summary.cell->compiled).*part) : std::nullopt;
}

void addShares(std::map<std::string, MetricSource, std::less<>>& sources)
{
    for (const WorkKind kind : kWorkKinds.values()) {
        sources["share_" + std::string(kWorkKinds.of(kind))] = {
            [kind](const CellSummary& s) -> std::optional<double> {
                if (!s.division || !s.measured)
                    return std::nullopt;
                return s.division->share(kind, s.seconds);
            }};
    }
}

std::map<std::string, MetricSource, std::less<>> builtInSources()
{
    using Summary = const CellSummary&;
    std::map<std::string, MetricSource, std::less<>> sources{
        {"throughput",
         {[](Summary s) { return ifMeasured(s, s.throughput); },
          [](Summary s) { return s.throughputInterval(); }}},
        {"latency",
         {[](Summary s) { return ifMeasured(s, s.seconds); },
          [](Summary s) { return s.secondsInterval; }}},
        {"unit_time",
         {[](Summary s) {
              return s.throughput > 0.0 ? ifMeasured(s, 1.0 / s.throughput) : std::nullopt;
          },
          unitInterval}},
        {"cv",
         {[](Summary s) { return s.withinRoundVariation; },
          [](Summary s) { return s.variationInterval; }}},
        {"speedup",
         {[](Summary s) { return s.speedup; }, [](Summary s) { return s.speedupInterval; }}},
        {"against_cpu",
         {[](Summary s) {
              return s.againstCpu ? std::optional(s.againstCpu->ratio.value) : std::nullopt;
          },
          [](Summary s) { return s.againstCpu ? s.againstCpu->ratio.interval : std::nullopt; }}},
        {"weights",
         {[](Summary s) { return ifMeasured(s, static_cast<double>(s.memory.weightsResident)); }}},
        {"states", {[](Summary s) -> std::optional<double> {
             return s.memory.statesResident > 0
                        ? ifMeasured(s, static_cast<double>(s.memory.statesResident))
                        : std::nullopt;
         }}},
        {"token_rate", rateOf(AmountKind::Token)},
        {"area_rate", rateOf(AmountKind::SquareKilometre)},
        {"land_time", timeForLand()},
        {"attainable", {attainableSpeedup}},
        {"attention_flops", {[](Summary s) -> std::optional<double> {
             return s.cell != nullptr && s.cell->attentionShare > 0.0 && s.measured
                        ? std::optional(s.cell->attentionShare)
                        : std::nullopt;
         }}},
        {"compiled_flops", {[](Summary s) { return compiledPart(s, &CompiledShare::flops); }}},
        {"compiled_bytes", {[](Summary s) { return compiledPart(s, &CompiledShare::bytes); }}},
        {"allocated_peak", {[](Summary s) { return asNumber(s.memory.allocatedPeak); }}},
        {"reserved_peak", {[](Summary s) { return asNumber(s.memory.reservedPeak); }}},
        {"graph_pool", {[](Summary s) { return asNumber(s.memory.graphPool); }}},
        {"process_peak", {[](Summary s) { return asNumber(s.memory.processPeak); }}},
        {"memory_overhead", {[](Summary s) { return s.memoryOverhead; }}},
        {"reserved_overhead", {[](Summary s) { return s.reservedOverhead; }}},
        {"uncompiled_difference", {[](Summary s) -> std::optional<double> {
             return s.fromUncompiled ? std::optional(s.fromUncompiled->difference) : std::nullopt;
         }}},
        {"uncompiled_token_agreement", {[](Summary s) {
             return s.fromUncompiled ? s.fromUncompiled->equalTokens : std::nullopt;
         }}},
        {"uncompiled_token_agreement_with_prompt", {[](Summary s) {
             return s.fromUncompiled ? s.fromUncompiled->equalTokensWithPrompt : std::nullopt;
         }}},
        {"compile_cold", {[](Summary s) { return compileSeconds(s, CompileStart::Cold); }}},
        {"compile_warm", {[](Summary s) { return compileSeconds(s, CompileStart::Warm); }}},
        {"compile_start",
         {[](Summary s) { return s.compileCost ? std::optional(s.startSeconds) : std::nullopt; }}},
        {"break_even_cold",
         {[](Summary s) { return breakEven(s, CompileStart::Cold); },
          [](Summary s) { return breakEvenInterval(s, CompileStart::Cold); }}},
        {"break_even_warm",
         {[](Summary s) { return breakEven(s, CompileStart::Warm); },
          [](Summary s) { return breakEvenInterval(s, CompileStart::Warm); }}},
        {"first_stage", {[](Summary s) { return stageSeconds(s, 0); }}},
        {"second_stage", {[](Summary s) { return stageSeconds(s, 1); }}},
        {"energy", {[](Summary s) { return s.joulesPerUnit(); }}},
        {"million_cost",
         {[](Summary s) { return s.cost ? s.cost->perMillionUnits : std::nullopt; }}},
        {"noise_multiple", {[](Summary s) { return noise(s, s.noiseMultiple); }}},
        {"worst_noise_multiple", {[](Summary s) { return noise(s, s.worstNoiseMultiple); }}},
        {"reconstruction_ssim", {[](Summary s) { return ofInput(s, "ssim"); }}},
        {"reconstruction_psnr", {[](Summary s) { return ofInput(s, "psnr"); }}},
        {"token_time", {furtherTokenSeconds}},
        {"text_loss", {[](Summary s) { return s.textLoss; }}},
        {"accuracy", {[](Summary s) { return s.rightShare; }}},
        {"knn_accuracy", {[](Summary s) { return s.rightShare; }}},
        {"share_gaps", {[](Summary s) {
             return s.division ? ifMeasured(s, s.division->gapShare(s.seconds)) : std::nullopt;
         }}},
        {"launches", {[](Summary s) {
             return s.division ? std::optional(s.division->launches) : std::nullopt;
         }}},
    };
    addShares(sources);
    return sources;
}

std::map<std::string, MetricSource, std::less<>>& sources()
{
    static auto all = builtInSources();
    return all;
}

const MetricSource& sourceOf(const Metric& metric)
{
    const auto found = sources().find(metric.name);
    QS_ASSERT(found != sources().end());
    return found->second;
}

std::optional<double> outputValue(const Metric& metric, const CellSummary& summary)
{
    const OutputMetric* output = metricRegistry().findOutput(metric.outputMetric);
    if (!summary.quality || output == nullptr || !output->appliesTo(summary.cell->output))
        return std::nullopt;
    const auto value =
        metric.worst ? summary.quality->worst(output->name) : summary.quality->mean(output->name);
    // Of equal outputs some metrics have no finite value.
    return !value && summary.identical() && std::isinf(output->identical)
               ? std::optional(output->identical)
               : value;
}

// Whether the weights are trained or not.
std::optional<double> recordedValue(const Metric& metric, const CellSummary& summary)
{
    return metric.outputMetric.empty() ? sourceOf(metric).value(summary)
                                       : outputValue(metric, summary);
}

std::set<OutputKind> kindsOf(const Analysis& analysis)
{
    std::set<OutputKind> kinds;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell != nullptr)
            kinds.insert(summary.cell->output);
    }
    return kinds;
}

// Those that say something about one of the kinds.
template <typename Spec>
std::vector<const Spec*> thoseOf(const std::deque<Spec>& all, const Analysis& analysis)
{
    const std::set<OutputKind> kinds = kindsOf(analysis);
    std::vector<const Spec*> found;
    for (const Spec& spec : all) {
        if (spec.outputs.empty() || std::any_of(kinds.begin(), kinds.end(), [&](OutputKind kind) {
                return spec.appliesTo(kind);
            }))
            found.push_back(&spec);
    }
    return found;
}

}  // namespace

std::optional<double> valueOf(const Metric& metric, const CellSummary& summary)
{
    if (metric.needsTraining && (summary.cell == nullptr || !summary.cell->trained))
        return std::nullopt;
    if (metric.ofLabels && !metric.appliesTo(summary.cell->output))
        return std::nullopt;
    return recordedValue(metric, summary);
}

std::optional<double> valueOf(std::string_view metric, const CellSummary& summary)
{
    const Metric* found = metricRegistry().find(metric);
    QS_ASSERT(found != nullptr);
    return valueOf(*found, summary);
}

std::optional<Interval> intervalOf(const Metric& metric, const CellSummary& summary)
{
    if (!metric.overRounds || !sourceOf(metric).interval)
        return std::nullopt;
    return sourceOf(metric).interval(summary);
}

void addMetric(Metric metric, MetricSource source)
{
    QS_ASSERT(source.value != nullptr);
    sources().emplace(metric.name, std::move(source));
    metricRegistry().add(std::move(metric));
}

std::vector<const OutputMetric*> outputMetricsOf(const Analysis& analysis)
{
    std::vector<const OutputMetric*> metrics = thoseOf(metricRegistry().outputMetrics(), analysis);
    std::erase_if(metrics, [&](const OutputMetric* metric) {
        return metric->rare && std::none_of(analysis.cells.begin(), analysis.cells.end(),
                                            [&](const CellSummary& summary) {
                                                return summary.quality &&
                                                       summary.quality->mean(metric->name);
                                            });
    });
    return metrics;
}

std::vector<const Metric*> labelMetricsOf(const Analysis& analysis)
{
    std::vector<const Metric*> metrics = metricsOf(analysis);
    std::erase_if(metrics, [](const Metric* metric) { return !metric->ofLabels; });
    return metrics;
}

std::vector<const Metric*> fileMetricsOf(const Analysis& analysis)
{
    std::vector<const Metric*> metrics = metricsOf(analysis);
    std::erase_if(metrics,
                  [](const Metric* metric) { return metric->stage > 0 || metric->elsewhere; });
    return metrics;
}

std::vector<const Metric*> metricsOf(const Analysis& analysis)
{
    std::vector<const Metric*> metrics = thoseOf(metricRegistry().metrics(), analysis);
    std::erase_if(metrics, [&](const Metric* metric) {
        if (!metric->rare)
            return false;
        return std::none_of(
            analysis.cells.begin(), analysis.cells.end(), [&](const CellSummary& summary) {
                return recordedValue(*metric, summary) && metric->appliesTo(summary.cell->output);
            });
    });
    return metrics;
}

}  // namespace qs::core
