#pragma once

#include "core/analysis/analysis.h"

#include <QString>

namespace qs::widgets {

// What a verdict means at a glance; views choose the colours. The words say the same.
enum class VerdictTone {
    None,
    Better,
    Worse,
    Even,  // the same, which is a result
    Open,  // more repeats or pictures may settle it
};

// None where there are too few repeats for any verdict.
[[nodiscard]] VerdictTone claimTone(const core::SpeedClaim& claim);
[[nodiscard]] VerdictTone speedTone(const core::CellSummary& summary);
[[nodiscard]] VerdictTone qualityTone(const core::CellSummary& summary);

// "▲ " of a better one, "▼ ", "= " and "? ": reads without colours. Empty for None.
[[nodiscard]] QString verdictSign(VerdictTone tone);

// The verdict on the speed of a cell: "faster", "not settled so far", and "2 of 5" while there are
// too few repeats for any. Empty for the baseline, and where too few repeats are planned.
[[nodiscard]] QString speedVerdictText(const core::CellSummary& summary);
// The same of its quality: "worse". Empty without outputs enough for any.
[[nodiscard]] QString qualityVerdictText(const core::CellSummary& summary);

}  // namespace qs::widgets
