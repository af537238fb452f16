#include "core/report/guardrail_section.h"

#include "core/analysis/guardrail.h"
#include "core/base/format.h"

namespace qs::core {

namespace {

constexpr const char* kGuardrailMeaning =
    "1 − mean cosine between the embeddings of a quantized cell and those of bf16 eager. It is no "
    "accuracy: no task is solved. Up to 0.5 % it is within the limit at which OlmoEarth ships, up "
    "to 1 % borderline. What the document advises stands beside it with what this run measured.";
constexpr double kOfHundred = 100.0;
constexpr int kDeviationDigits = 3;

const char* resultText(GuardrailResult result)
{
    switch (result) {
    case GuardrailResult::Within:
        return "within 0.5 %";
    case GuardrailResult::Borderline:
        return "borderline, within 1 %";
    case GuardrailResult::Beyond:
        return "beyond 1 %";
    }
    return "";
}

const char* remedyText(GuardrailRemedy remedy)
{
    switch (remedy) {
    case GuardrailRemedy::SmoothQuant:
        return "SmoothQuant (int8sq)";
    case GuardrailRemedy::WeightsOnly:
        return "weights alone (int8wo)";
    case GuardrailRemedy::WithoutEnds:
        return "without the first and last block (olmoearth -first1 -last1)";
    case GuardrailRemedy::LargerBatch:
        return "a larger batch";
    case GuardrailRemedy::CheaperCompile:
        return "a compile mode that compiles in half the time or less";
    }
    return "";
}

std::string percentText(double fraction)
{
    return formatSignificant(fraction * kOfHundred, kDeviationDigits) + " %";
}

// "SmoothQuant (int8sq): 0.31 %, 0.98× the throughput (int8sq · eager · batch 4)"
std::string adviceLine(const GuardrailAdvice& advice, const Analysis& analysis)
{
    std::string text = remedyText(advice.remedy);
    if (advice.cellId.empty())
        return text + ": not in this run";
    std::string figures;
    const auto add = [&](const std::string& figure) {
        figures += (figures.empty() ? "" : ", ") + figure;
    };
    if (advice.deviation)
        add(percentText(*advice.deviation));
    if (advice.throughputRatio)
        add(formatSignificant(*advice.throughputRatio, kDeviationDigits) + "× the throughput");
    return text + ": " + figures + " (" +
           analysis.labels.withBatch(*analysis.find(advice.cellId)->cell) + ")";
}

}  // namespace

TableSection guardrailSection(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "1 − cosine", "Limit", "What would help"}, {}};
    for (const GuardedCell& guarded : guardrailOf(analysis)) {
        const PlannedCell& cell = *analysis.find(guarded.cellId)->cell;
        std::string advice;
        for (const GuardrailAdvice& each : guarded.advice)
            advice += (advice.empty() ? "" : "; ") + adviceLine(each, analysis);
        table.lines.push_back({analysis.labels.of(cell), std::to_string(cell.config.batch),
                               percentText(guarded.deviation), resultText(guarded.result),
                               advice.empty() ? "–" : advice});
    }
    return {"guardrail", "Guardrail of embeddings", kGuardrailMeaning, std::move(table)};
}

Json guardrailJson(const Analysis& analysis)
{
    Json list = Json::array();
    for (const GuardedCell& guarded : guardrailOf(analysis)) {
        Json advice = Json::array();
        for (const GuardrailAdvice& each : guarded.advice)
            advice.push_back({{"remedy", kGuardrailRemedies.of(each.remedy)},
                              {"cell", each.cellId.empty() ? Json() : Json(each.cellId)},
                              {"one_minus_cosine", each.deviation ? Json(*each.deviation) : Json()},
                              {"throughput_ratio",
                               each.throughputRatio ? Json(*each.throughputRatio) : Json()}});
        list.push_back({{"cell", guarded.cellId},
                        {"one_minus_cosine", guarded.deviation},
                        {"result", kGuardrailResults.of(guarded.result)},
                        {"advice", std::move(advice)}});
    }
    return list;
}

}  // namespace qs::core
