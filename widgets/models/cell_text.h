#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <QtGlobal>

namespace qs::widgets {

// How loud a value is to be shown; views choose the colour.
enum class Severity {
    Ok,
    Muted,    // nothing known yet, or nothing can be known: not run, impossible here
    Warning,  // a result that must not be read without its reason
    Error,    // no result, or not the one that was asked for
};

// "eager", "cuda-graph", "fused", "surgical: rope+mlp": the window's words for compile modes.
[[nodiscard]] QString compileText(const std::string& compile);
// "int8dq · eager · batch 64"; layers and attention only where they are not the usual ones.
[[nodiscard]] QString cellTitle(const core::CellConfig& config);
// The same with what tells a planned cell from others of its configuration.
[[nodiscard]] QString cellTitle(const core::PlannedCell& cell);
// Why the cell is in the plan.
[[nodiscard]] QString roleText(core::CellRole role);
// "ok", "planned", "impossible", "oom" …
[[nodiscard]] QString statusText(const core::CellSummary& summary);
[[nodiscard]] Severity statusSeverity(const core::CellSummary& summary);
// The engine writes MISMATCH where it ran something else than it was asked for.
[[nodiscard]] bool ranSomethingElse(const core::CellSummary& summary);
// "best bf16", "bf16 eager", or the title of the cell that ratios are formed with.
[[nodiscard]] QString baselineText(const core::Analysis& analysis, const QString& baseline);
// Why it has no value, or one that is in doubt: the analysis' reason, its doubts, or the plan's.
[[nodiscard]] QString cellReason(const core::CellSummary& summary);
// "faster", "slower so far", "same", "not settled"; empty before three repeats.
[[nodiscard]] QString verdictText(const core::SpeedClaim& claim);

}  // namespace qs::widgets
