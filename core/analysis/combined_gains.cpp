#include "core/analysis/combined_gains.h"

#include "core/analysis/cell_summary.h"
#include "core/quant/scheme.h"
#include "core/sweep/axis_spec.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace qs::core {

namespace {

constexpr std::string_view kPlainPrecision = "bf16";
constexpr std::string_view kEagerMode = "none";

bool isQuantized(const CellConfig& config)
{
    return std::any_of(config.precision.begin(), config.precision.end(),
                       [](const std::string& text) {
                           const auto scheme = parseScheme(text);
                           return scheme.ok() && quantizesWeights(scheme.value());
                       });
}

// All of a cell but the two that are combined. bf16 quantizes nothing, whatever the filter.
std::string frameOf(const CellConfig& config)
{
    std::string key;
    for (const AxisSpec& axis : axisSpecs()) {
        if (axis.name != "precision" && axis.name != "compile" && axis.name != "layers")
            key += axis.text(config) + '\n';
    }
    return key;
}

// Timed cells by what they are.
class TimedCells final
{
public:
    explicit TimedCells(const Analysis& analysis)
    {
        for (const CellSummary& summary : analysis.cells) {
            const CellConfig& config = summary.cell->config;
            if (summary.measured && summary.doubts.empty() && summary.cell->rerun == 0)
                m_cells.emplace(keyOf(config, precisionText(config), config.compile,
                                      isQuantized(config) ? config.layers : std::string()),
                                &summary);
        }
    }

    // Of the cell's frame; null if there is none.
    [[nodiscard]] const CellSummary* find(const CellConfig& config, std::string_view precision,
                                          std::string_view compile,
                                          const std::string& layers = {}) const
    {
        const auto found = m_cells.find(keyOf(config, precision, compile, layers));
        return found == m_cells.end() ? nullptr : found->second;
    }

private:
    static std::string keyOf(const CellConfig& config, std::string_view precision,
                             std::string_view compile, const std::string& layers)
    {
        return frameOf(config) + std::string(precision) + '\n' + std::string(compile) + '\n' +
               layers;
    }

    std::map<std::string, const CellSummary*> m_cells;
};

std::optional<double> secondsIn(const CellSummary& summary, int round)
{
    const auto& rounds = summary.roundSeconds;
    const auto found = std::find_if(rounds.begin(), rounds.end(),
                                    [round](const auto& each) { return each.round == round; });
    return found == rounds.end() ? std::nullopt : std::optional(found->seconds);
}

GainsTogether resultOf(const Estimate& ratio)
{
    if (!ratio.interval)
        return GainsTogether::Undecided;
    const auto& [lower, upper] = *ratio.interval;
    if (lower >= 1.0 - kMultiplyWithin && upper <= 1.0 + kMultiplyWithin)
        return GainsTogether::Multiply;
    if (upper < 1.0)
        return GainsTogether::Less;
    return lower > 1.0 ? GainsTogether::More : GainsTogether::Undecided;
}

// Plain, compiled, quantized, both.
using FourCells = std::array<const CellSummary*, 4>;

std::optional<CombinedGain> gainOf(const FourCells& cells)
{
    const auto& [plain, compiled, quantized, both] = cells;
    const bool apart = std::any_of(cells.begin(), cells.end(), [&](const CellSummary* each) {
        return each->environmentId != cells.front()->environmentId;
    });
    // Of each round the products of times that are held against each other.
    std::vector<double> singles;
    std::vector<double> together;
    for (const RoundSeconds& round : plain->roundSeconds) {
        const auto ofCompiled = secondsIn(*compiled, round.round);
        const auto ofQuantized = secondsIn(*quantized, round.round);
        const auto ofBoth = secondsIn(*both, round.round);
        if (!ofCompiled || !ofQuantized || !ofBoth)
            continue;
        singles.push_back(*ofCompiled * *ofQuantized);
        together.push_back(round.seconds * *ofBoth);
    }
    if (apart || singles.empty())
        return std::nullopt;
    CombinedGain gain{.plainId = plain->cellId,
                      .compiledId = compiled->cellId,
                      .quantizedId = quantized->cellId,
                      .bothId = both->cellId,
                      .compiled = plain->seconds / compiled->seconds,
                      .quantized = plain->seconds / quantized->seconds,
                      .both = plain->seconds / both->seconds,
                      .ratio = pairedRatio(singles, together)};
    gain.result = resultOf(gain.ratio);
    return gain;
}

}  // namespace

std::vector<CombinedGain> combinedGains(const Analysis& analysis)
{
    const TimedCells timed(analysis);
    std::vector<CombinedGain> gains;
    for (const CellSummary& summary : analysis.cells) {
        const CellConfig& config = summary.cell->config;
        if (config.compile == kEagerMode || !isQuantized(config))
            continue;
        const std::string precision = precisionText(config);
        const FourCells cells{timed.find(config, kPlainPrecision, kEagerMode),
                              timed.find(config, kPlainPrecision, config.compile),
                              timed.find(config, precision, kEagerMode, config.layers),
                              timed.find(config, precision, config.compile, config.layers)};
        const bool complete = std::none_of(cells.begin(), cells.end(),
                                           [](const CellSummary* each) { return each == nullptr; });
        if (!complete)
            continue;
        if (auto gain = gainOf(cells))
            gains.push_back(std::move(*gain));
    }
    return gains;
}

}  // namespace qs::core
