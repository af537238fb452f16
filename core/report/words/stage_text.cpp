#include "core/report/words/stage_text.h"

#include "core/quant/scheme.h"
#include "core/sweep/cell_workload.h"

#include <algorithm>

namespace qs::core {

namespace {

bool solves(const std::string& precision)
{
    const auto scheme = parseScheme(precision);
    return scheme.ok() && !scheme.value()->solver.empty();
}

// Every cell that quantizes as its workload; false if none does.
bool allSolve(const Analysis& analysis)
{
    bool any = false;
    for (const CellSummary& summary : analysis.cells) {
        const CellConfig& config = summary.cell->config;
        if (!isQuantizing(config))
            continue;
        any = true;
        if (!std::all_of(config.precision.begin(), config.precision.end(), solves))
            return false;
    }
    return any;
}

}  // namespace

std::string stageTitle(const std::string& stage, const Analysis& analysis)
{
    const auto& [load, calibrate, quantize] = kQuantizingParts;
    if ((stage != calibrate && stage != quantize) || !allSolve(analysis))
        return stage;
    return stage == calibrate ? "calibrate and solve" : "quantize the rest";
}

}  // namespace qs::core
