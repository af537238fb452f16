#include "core/analysis/guardrail.h"

#include "core/analysis/cell_summary.h"
#include "core/analysis/compile_cost.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <functional>

namespace qs::core {

namespace {

constexpr double kWorthIt = 1.05;      // a throughput that is told of
constexpr double kAboutAsFast = 0.95;  // of a compile mode that is cheaper
constexpr double kCheaper = 0.5;       // of the time of compiling

std::string schemeName(const CellConfig& config)
{
    const auto scheme =
        parseScheme(config.precision.empty() ? std::string() : config.precision.front());
    return scheme.ok() ? scheme.value()->name : std::string();
}

bool quantizes(const CellConfig& config)
{
    const auto scheme =
        parseScheme(config.precision.empty() ? std::string() : config.precision.front());
    return scheme.ok() && quantizesWeights(scheme.value());
}

std::optional<double> deviationOf(const CellSummary& summary)
{
    const auto cosine = summary.quality ? summary.quality->mean("cosine") : std::optional<double>();
    return cosine ? std::optional(1.0 - *cosine) : std::nullopt;
}

GuardrailResult judged(double deviation)
{
    if (deviation <= kDeviationToShip)
        return GuardrailResult::Within;
    return deviation <= kDeviationAtMost ? GuardrailResult::Borderline : GuardrailResult::Beyond;
}

bool leavesEndsOut(const std::string& layers)
{
    return layers.find("-first") != std::string::npos || layers.find("-last") != std::string::npos;
}

// What differs between two cells beside what is named.
bool equalBut(const CellConfig& a, const CellConfig& b,
              const std::function<void(CellConfig&)>& level)
{
    CellConfig first = a;
    CellConfig second = b;
    level(first);
    level(second);
    return first == second;
}

// Whether repeats tell that it has at least `share` of the throughput, and not one number each.
bool hasThroughput(const CellSummary& cell, double share, const CellSummary& of)
{
    const auto own = cell.throughputInterval();
    const auto other = of.throughputInterval();
    return own && other && own->lower >= share * other->upper;
}

// Looks through the measured cells of a run for what would do better than one of them.
class Remedies final
{
public:
    Remedies(const Analysis& analysis, const CellSummary& cell) : m_analysis(analysis), m_cell(cell)
    {
    }

    // The closest to the reference of those that fit.
    [[nodiscard]] GuardrailAdvice closer(GuardrailRemedy remedy,
                                         const std::function<bool(const CellConfig&)>& fits) const
    {
        const CellSummary* best = nullptr;
        for (const CellSummary& each : m_analysis.cells) {
            if (&each != &m_cell && deviationOf(each) && fits(each.cell->config) &&
                (best == nullptr || *deviationOf(each) < *deviationOf(*best)))
                best = &each;
        }
        return adviceOf(remedy, best);
    }

    // The one of most throughput among those that fit, if it is worth it.
    [[nodiscard]] std::optional<GuardrailAdvice>
    faster(GuardrailRemedy remedy, const std::function<bool(const CellSummary&)>& fits) const
    {
        const CellSummary* best = nullptr;
        for (const CellSummary& each : m_analysis.cells) {
            if (&each != &m_cell && each.measured && fits(each) &&
                (best == nullptr || each.throughput > best->throughput))
                best = &each;
        }
        return best == nullptr ? std::nullopt : std::optional(adviceOf(remedy, best));
    }

private:
    [[nodiscard]] GuardrailAdvice adviceOf(GuardrailRemedy remedy, const CellSummary* cell) const
    {
        GuardrailAdvice advice{
            .remedy = remedy, .cellId = {}, .deviation = {}, .throughputRatio = {}};
        if (cell == nullptr)
            return advice;
        advice.cellId = cell->cellId;
        advice.deviation = deviationOf(*cell);
        if (cell->throughput > 0.0 && m_cell.throughput > 0.0)
            advice.throughputRatio = cell->throughput / m_cell.throughput;
        return advice;
    }

    const Analysis& m_analysis;
    const CellSummary& m_cell;
};

void adviseOnDeviation(const Remedies& remedies, const CellConfig& config, GuardedCell& guarded)
{
    const auto withScheme = [&](const char* name) {
        return [&config, name](const CellConfig& other) {
            return schemeName(other) == name &&
                   equalBut(config, other, [](CellConfig& cell) { cell.precision.clear(); });
        };
    };
    const std::string scheme = schemeName(config);
    if (scheme == "int8dq")
        guarded.advice.push_back(
            remedies.closer(GuardrailRemedy::SmoothQuant, withScheme("int8sq")));
    if (scheme != "int8wo")
        guarded.advice.push_back(
            remedies.closer(GuardrailRemedy::WeightsOnly, withScheme("int8wo")));
    if (!leavesEndsOut(config.layers))
        guarded.advice.push_back(
            remedies.closer(GuardrailRemedy::WithoutEnds, [&](const CellConfig& other) {
                return leavesEndsOut(other.layers) &&
                       equalBut(config, other, [](CellConfig& cell) { cell.layers.clear(); });
            }));
}

void adviseOnSpeed(const Remedies& remedies, const CellSummary& cell, GuardedCell& guarded)
{
    const CellConfig& config = cell.cell->config;
    const auto larger =
        remedies.faster(GuardrailRemedy::LargerBatch, [&](const CellSummary& other) {
            return other.cell->config.batch > config.batch &&
                   hasThroughput(other, kWorthIt, cell) &&
                   equalBut(config, other.cell->config, [](CellConfig& each) { each.batch = 1; });
        });
    if (larger)
        guarded.advice.push_back(*larger);
    if (!cell.compileCost)
        return;
    const double seconds = cell.compileCost->seconds(CompileStart::Cold);
    const auto cheaper =
        remedies.faster(GuardrailRemedy::CheaperCompile, [&](const CellSummary& other) {
            return other.compileCost && hasThroughput(other, kAboutAsFast, cell) &&
                   other.compileCost->seconds(CompileStart::Cold) <= kCheaper * seconds &&
                   equalBut(config, other.cell->config,
                            [](CellConfig& each) { each.compile.clear(); });
        });
    if (cheaper)
        guarded.advice.push_back(*cheaper);
}

}  // namespace

std::vector<GuardedCell> guardrailOf(const Analysis& analysis)
{
    std::vector<GuardedCell> all;
    for (const CellSummary& summary : analysis.cells) {
        const auto deviation = deviationOf(summary);
        if (!deviation || summary.cell->output != OutputKind::Embedding ||
            !quantizes(summary.cell->config))
            continue;
        GuardedCell guarded{summary.cellId, *deviation, judged(*deviation), {}};
        const Remedies remedies(analysis, summary);
        if (guarded.result == GuardrailResult::Beyond)
            adviseOnDeviation(remedies, summary.cell->config, guarded);
        if (summary.measured)
            adviseOnSpeed(remedies, summary, guarded);
        all.push_back(std::move(guarded));
    }
    return all;
}

}  // namespace qs::core
