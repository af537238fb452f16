#pragma once

#include "core/record/analysis.h"
#include "core/record/run_data.h"

#include <QString>

namespace qs::app {

// What a cell's pictures must be like for it to count. Without trained weights no limit can be
// asked for.
enum class QualityLimit {
    None,
    WithinNoise,  // at most twice the noise floor
    Ssim99,       // mean SSIM against the bf16 reference at least 0.99
};

// What one sees first of a run.
struct Answer {
    QString cellId;  // empty: there is none yet
    // What it is best looked at beside: the baseline of its ratio, or what came next if the answer
    // is the baseline itself. Empty if there is neither.
    QString otherId;
    QString headline;     // "int8dq · cuda-graph · batch 64"
    QString detail;       // "2.1× [2.0, 2.2] best bf16 · 812 images/s · mean SSIM 0.998 to bf16"
    QString progress;     // "so far, 1 of 3 repeats"; empty when the run is complete
    QString explanation;  // for the tooltip: how it was chosen and what the numbers are
    bool trained = false;
};

// The fastest measured cell, in pictures per second, that keeps the limit. `running`: more may
// come.
[[nodiscard]] Answer findAnswer(const core::RunData& data, const core::Analysis& analysis,
                                const QString& baseline, QualityLimit limit, bool running);

}  // namespace qs::app
