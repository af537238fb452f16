#pragma once

#include "core/sweep/plan.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace qs::widgets {

// What a plan amounts to, in numbers.
struct PlanCounts {
    int swept = 0;       // asked for by the axes
    int impossible = 0;  // of those
    int references = 0;  // possible cells that are there to be compared with
    int noiseFloor = 0;  // possible cells that measure what is no difference at all
    int possible = 0;    // all cells that will run
};
[[nodiscard]] PlanCounts countPlan(const core::Plan& plan);

// "3 precisions × 2 compile modes × 6 batches = 36 cells (4 impossible) + 5 references + 12
// noise-floor runs × 3 repeats · about 4 min, 10 s of it compiling · 1.3 GiB on disk".
[[nodiscard]] QString planSummary(const core::Plan& plan);
// "about 40 s", "about 4 min", "about 2.5 h": no more digits than an estimate deserves.
[[nodiscard]] QString aboutText(double seconds);

// What a preset sweeps over: "demo on cuda:0 · 4 precisions × 2 compile modes · 3 repeats".
[[nodiscard]] QString presetContents(const core::Preset& preset);

// What an axis is called: "batch size".
[[nodiscard]] QString axisText(const std::string& axis);
// How many values it has: "3 batch sizes".
[[nodiscard]] QString axisCount(const core::Axis& axis);

// "1 cell", "36 cells".
[[nodiscard]] QString cellsText(int count);

// Cells that cannot run here for one reason.
struct ImpossibleCells {
    QString reason;
    QStringList cells;   // "int8dq · cuda-graph · batch 4"
    bool added = false;  // references and runs of the noise floor, which no axis asks for
};
// Of the axes, as PlanCounts counts them, in order of the plan; then, with reasons of their own,
// the references and runs of the noise floor.
[[nodiscard]] std::vector<ImpossibleCells> impossibleCells(const core::Plan& plan);

}  // namespace qs::widgets
