#pragma once

#include "core/measure/failure.h"
#include "core/stats/interval.h"
#include "core/sweep/gate.h"

#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Undecided: the limit lies within the interval of the value, or there are too few rounds for an
// interval, so that more rounds would decide it; or the value is an upper limit, and what it may be
// less than decides it.
enum class GateVerdict { Pass, Fail, Undecided, NotTestable };

// Why a gate cannot be tested or decided; Identical stands for a value that no number has.
enum class GateReason {
    None,
    Identical,  // to the reference: its PSNR is infinite
    NoMatch,    // cell: of another device than the gate
    CannotRun,
    NotMeasured,
    NotOk,      // measured, and failed as its status says
    FewRounds,  // than an interval needs
    FewPasses,  // for a variation
    IsBaseline,
    NoBaseline,  // its time is not known
    NoMemory,    // this figure, on this device
    Untrained,
    IsReference,
    OtherOutput,   // of the model than the metric is of
    NotCompared,   // with the reference
    NoSuchFigure,  // of the comparison: the images are too small for it
    InputsNotCompared,
    FloorIncomplete,
    FloorUnknown,  // or zero
    NeverPays,     // the compile: it takes more passes than any limit
    PaysOrNot,     // repeats do not tell
};

// One expectation held against one cell. Times, rates, ratios and their variation are known over
// rounds only: they pass or fail where their whole 95 % interval does. Memory and pictures are the
// same in every round, and are held as they are. A value that is in doubt (core/analysis/doubts.h)
// keeps no promise: it fails a gate that it would have passed.
struct GateResult {
    Gate gate;
    GateVerdict verdict = GateVerdict::NotTestable;
    std::optional<double> measured;    // in the unit of the metric; empty if there is none
    std::optional<Interval> interval;  // of it, where rounds differ and there are enough of them
    GateReason reason = GateReason::None;
    CellStatus status = CellStatus::Ok;  // of the cell
    std::string device = {};             // of the cell by its name, for NoMatch
    bool doubted = false;                // fails for this alone
    bool isUpperLimit = false;           // the value may be less than `measured`

    bool operator==(const GateResult&) const = default;
};

// Of one cell, in the order of the gates; those whose model, precision or batch is another are left
// out.
using CellGates = std::vector<GateResult>;

}  // namespace qs::core
