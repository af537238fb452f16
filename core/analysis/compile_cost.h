#pragma once

#include "core/base/enum_names.h"
#include "core/measure/compile_record.h"
#include "core/stats/interval.h"

#include <optional>
#include <vector>

namespace qs::core {

struct Analysis;
struct CellSummary;
struct Metric;
class MeasuredDevices;

// Note [Break-even]
// A cell that is compiled begins later than its speed baseline, and then gains something with each
// pass. It wins after the number of passes in which the gain is what the begin cost:
//     passes = (begin of the cell - begin of the baseline) / (seconds per pass * (speed-up - 1)),
// where a begin is compiling, if there is something to compile, and load + first call. Of the terms
// only the speed-up differs from repeat to repeat by as much as matters, because the gain is a
// small difference: its interval is that of the passes turned over.

// What was there of earlier compiles when a cell begins.
enum class CompileStart { Cold, Warm };
inline constexpr auto kCompileStarts =
    enumNames<CompileStart>({{CompileStart::Cold, "cold"}, {CompileStart::Warm, "warm"}});

enum class BreakEvenResult {
    Wins,
    Never,      // it gains nothing
    Undecided,  // the interval of the gain holds both, or there is none
};
inline constexpr auto kBreakEvenResults =
    enumNames<BreakEvenResult>({{BreakEvenResult::Wins, "wins"},
                                {BreakEvenResult::Never, "never"},
                                {BreakEvenResult::Undecided, "undecided"}});

// In passes; 0: from the first one on.
struct BreakEven {
    BreakEvenResult result = BreakEvenResult::Undecided;
    std::optional<double> passes = {};      // at the speed-up as measured; none if it is none
    std::optional<Interval> interval = {};  // of one that wins
    // It may take fewer, because the cell may have compiled in less time, see
    // CompileCost::isUpperLimit. Where its baseline may have, too, nothing bounds it: undecided.
    bool isUpperLimit = false;

    bool operator==(const BreakEven&) const = default;
};

// `extraSeconds`: how much later it begins, may be negative; `seconds` per pass, above 0.
[[nodiscard]] BreakEven breakEvenOf(double extraSeconds, double seconds, double speedup,
                                    const std::optional<Interval>& speedupInterval);

// What was compiled for all cells that differ in nothing but batch and sizes.
struct Compilations {
    int programs = 0;  // one that serves several shapes, or several calls, counts once
    int shapes = 0;

    bool operator==(const Compilations&) const = default;
};

// Of a cell with at least one stage that runs from a package. Seconds.
struct CompileCost {
    std::vector<StageCompile> stages;  // without their products
    // Of the compiler, for all stages: what was compiled side by side counts once.
    double coldSeconds = 0.0;
    double warmSeconds = 0.0;
    // Its programs come from several calls of the compiler, or from one that made others as well,
    // or do not say: compiled in one go, they might have taken less.
    bool isUpperLimit = false;
    // What the farthest is allowed, see Note [Distance limit] in core/measure/distance_limit.h:
    // by the distance of bf16 from fp32 that the row or else the run knows, else what the worker
    // allowed. Nothing where the row does not say.
    std::optional<double> limit = {};
    std::optional<double> bf16FromFp32 = {};
    Compilations compilations = {};
    // Bytes per second of the device's memory, if its maker publishes them.
    std::optional<double> memoryRate = {};
    // Against the speed baseline; nothing for the baseline itself and without a speed-up.
    std::optional<BreakEven> cold = {};
    std::optional<BreakEven> warm = {};

    bool operator==(const CompileCost&) const = default;
    [[nodiscard]] double seconds(CompileStart start) const;
    [[nodiscard]] const std::optional<BreakEven>& breakEven(CompileStart start) const;
    // The stage whose package is farthest from eager, each measured by what it was allowed; there
    // is one.
    [[nodiscard]] const StageCompile& farthest() const;
};

// Of what a row says of its stages; nothing without any.
[[nodiscard]] std::optional<CompileCost> compileCostOf(const std::vector<StageCompile>& stages);

// From nothing to the end of the first call: compiling, if the cell is compiled, and load + first
// call.
[[nodiscard]] double beginSeconds(const CellSummary& summary, CompileStart start);

// That of a metric which is one; null where there is none.
[[nodiscard]] const BreakEven* breakEvenOf(const Metric& metric, const CellSummary& summary);

// Whether the figure that this metric has of the cell may be less than it says, as
// CompileCost::isUpperLimit.
[[nodiscard]] bool isUpperLimit(const Metric& metric, const CellSummary& summary);

// Where all is known but what belongs to several cells: the limits, and who breaks even.
void fillCompileCosts(const MeasuredDevices& devices, Analysis& analysis);

}  // namespace qs::core
