#pragma once

#include "core/base/enum_names.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

struct Analysis;

// Note [Guardrail]
// OlmoEarth ships a quantized encoder whose metric drops by 0.5 % to 1 % at most. Without a task
// nothing can be called an accuracy: what is told of embeddings is 1 - mean cosine to those of bf16
// eager, with the limits of that rule, and what the document advises beyond them, as far as the run
// has measured it.
inline constexpr double kDeviationToShip = 0.005;
inline constexpr double kDeviationAtMost = 0.01;

enum class GuardrailResult {
    Within,      // at most kDeviationToShip
    Borderline,  // at most kDeviationAtMost
    Beyond,
};
inline constexpr auto kGuardrailResults =
    enumNames<GuardrailResult>({{GuardrailResult::Within, "within"},
                                {GuardrailResult::Borderline, "borderline"},
                                {GuardrailResult::Beyond, "beyond"}});

enum class GuardrailRemedy {
    SmoothQuant,
    WeightsOnly,
    WithoutEnds,     // first and last blocks stay as they are
    LargerBatch,     // to win the throughput back
    CheaperCompile,  // a compile mode that takes less and is about as fast
};
inline constexpr auto kGuardrailRemedies =
    enumNames<GuardrailRemedy>({{GuardrailRemedy::SmoothQuant, "smoothquant"},
                                {GuardrailRemedy::WeightsOnly, "weights_only"},
                                {GuardrailRemedy::WithoutEnds, "without_first_and_last"},
                                {GuardrailRemedy::LargerBatch, "larger_batch"},
                                {GuardrailRemedy::CheaperCompile, "cheaper_compile_mode"}});

struct GuardrailAdvice {
    GuardrailRemedy remedy = GuardrailRemedy::SmoothQuant;
    std::string cellId;  // the cell that shows it; empty: the run has none, it is to be measured
    std::optional<double> deviation;  // of that cell
    // Throughput of that cell over that of the judged one.
    std::optional<double> throughputRatio;
};

struct GuardedCell {
    std::string cellId;
    double deviation = 0.0;  // 1 - mean cosine
    GuardrailResult result = GuardrailResult::Within;
    std::vector<GuardrailAdvice> advice;
};

// Every quantized cell of embeddings that was compared with its reference, in order of the plan.
// What brings throughput is told wherever repeats show a better cell of the run; what brings the
// deviation down only beyond kDeviationAtMost, as the document has it.
[[nodiscard]] std::vector<GuardedCell> guardrailOf(const Analysis& analysis);

}  // namespace qs::core
