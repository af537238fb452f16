#pragma once

#include "core/analysis/answer.h"
#include "core/analysis/recommendation.h"

#include <string>
#include <vector>

namespace qs::core {

// A question of the usual ones, with what the run answers.
struct AnswerLine {
    std::string question;  // "Highest throughput, outputs within 2× the noise floor"
    std::string answer;    // "int8dq · fused · batch 64: 3,012 images/s; 1.2× [1.1, 1.3] …"
    AnswerStanding standing = AnswerStanding::Open;
    std::string cellId;  // of the answer; empty without one
};

// Throughput (within the noise floor where weights are trained, and without a limit where that says
// something else), latency at batch 1, memory. Without the figure of any cell a question is left
// out.
[[nodiscard]] std::vector<AnswerLine> answerLines(const Analysis& analysis);

// "Not complete: 5 of 8 cells were measured."; empty of a run that came to its end.
[[nodiscard]] std::string progressText(const Analysis& analysis);

// "recommended", "marginal", "avoid: bf16 is faster here", "safe default", "speed baseline",
// "undecided"
[[nodiscard]] std::string adviceGradeText(const FamilyAdvice& advice, const Analysis& analysis);
// "1.21× [1.20, 1.22] at batch 64"; empty for the baseline itself.
[[nodiscard]] std::string adviceGainText(const FamilyAdvice& advice);
// "faster at batch 16, 64; slower at batch 1; least memory at batch 64; host-bound at batch 1"
[[nodiscard]] std::string adviceText(const FamilyAdvice& advice);

}  // namespace qs::core
