#include "core/report/combined_section.h"

#include "core/analysis/combined_gains.h"
#include "core/base/format.h"
#include "core/report/json_values.h"
#include "core/report/markdown_text.h"

namespace qs::core {

namespace {

constexpr const char* kCombinedTitle = "Compiling and quantizing together";
constexpr const char* kCombinedMeaning =
    "Measured speed-up of the quantized and compiled cell over the product of the two single "
    "speed-ups, all against bf16 eager and round by round. At 1 each gives with the other what it "
    "gives alone.";

const char* resultText(GainsTogether result)
{
    switch (result) {
    case GainsTogether::Multiply:
        return "the gains multiply";
    case GainsTogether::Less:
        return "less than both alone";
    case GainsTogether::More:
        return "more than both alone";
    case GainsTogether::Undecided:
        return "undecided";
    }
    return "";
}

PlainTable combinedTable(const Analysis& analysis)
{
    PlainTable table{
        {"Cell", "Batch", "Compiled alone", "Quantized alone", "Both", "Both / product", "Result"},
        {}};
    const auto ratio = [](double value) { return formatSignificant(value, 3) + "×"; };
    for (const CombinedGain& gain : combinedGains(analysis)) {
        const PlannedCell& cell = *analysis.find(gain.bothId)->cell;
        table.lines.push_back({analysis.labels.of(cell), std::to_string(cell.config.batch),
                               ratio(gain.compiled), ratio(gain.quantized), ratio(gain.both),
                               withInterval(gain.ratio.value, gain.ratio.interval),
                               resultText(gain.result)});
    }
    return table;
}

}  // namespace

TableSection combinedSection(const Analysis& analysis)
{
    return {"combined", kCombinedTitle, kCombinedMeaning, combinedTable(analysis)};
}

Json combinedJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const CombinedGain& gain : combinedGains(analysis))
        list.push_back({{"bf16_eager", gain.plainId},
                        {"bf16_compiled", gain.compiledId},
                        {"quantized_eager", gain.quantizedId},
                        {"quantized_compiled", gain.bothId},
                        {"compiled_speedup_ratio", gain.compiled},
                        {"quantized_speedup_ratio", gain.quantized},
                        {"combined_speedup_ratio", gain.both},
                        {"combined_over_product_ratio", gain.ratio.value},
                        {"combined_over_product_interval_95", intervalJson(gain.ratio.interval)},
                        {"rounds", gain.ratio.count},
                        {"result", kGainsTogether.of(gain.result)}});
    return list;
}

}  // namespace qs::core
