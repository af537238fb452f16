#pragma once

#include "app/gui/runs/run_summary.h"
#include "widgets/models/cell_text.h"

#include <QString>
#include <QVariant>

namespace qs::app {

// The columns of a list of runs.
enum class RunColumn { Name, Tags, Progress, Best, SpeedUp, Device, Date };

// How a run goes at this moment.
enum class RunActivity { Idle, Running };

[[nodiscard]] QString runColumnTitle(RunColumn column);
[[nodiscard]] QString runColumnTip(RunColumn column);
[[nodiscard]] QString runText(const RunSummary& run, RunColumn column, RunActivity activity);
// Day and minute, as short as they tell runs of one name apart; empty if they are unknown.
[[nodiscard]] QString runDateMark(const RunSummary& run);
// More than the text says.
[[nodiscard]] QString runTip(const RunSummary& run, RunColumn column, RunActivity activity);
[[nodiscard]] widgets::Severity runSeverity(const RunSummary& run, RunColumn column);
// The number or text that a column is sorted by; invalid where there is none.
[[nodiscard]] QVariant runSortValue(const RunSummary& run, RunColumn column);
// Its name where slanted letters are not seen: "Example: ViTok 350M".
[[nodiscard]] QString runSpokenName(const RunSummary& run);
// Everything by which somebody may look for it, in folded case.
[[nodiscard]] QString runSearchText(const RunSummary& run);
[[nodiscard]] QString tagsText(const core::RunLabel& label);

}  // namespace qs::app
