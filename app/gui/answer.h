#pragma once

#include "core/analysis/answer.h"
#include "core/record/run_data.h"

#include <QString>

namespace qs::app {

// What one sees first of a run, in words.
struct Answer {
    QString cellId;  // empty: there is none yet
    // What it is best looked at beside: the baseline of its ratio, or what came next if the answer
    // is the baseline itself. Empty if there is neither.
    QString otherId;
    QString headline;     // "Fastest: int8dq · cuda-graph · batch 64"
    QString detail;       // "812 images/s · 2.1× [2.0, 2.2] the speed of best bf16 · …"
    QString figure;       // "812 images/s": what the detail begins with; may be empty
    QString progress;     // "so far, 1 of 3 repeats"; empty when the run is complete and whole
    QString explanation;  // how it was chosen and what the numbers are, a few sentences
    bool trained = false;
    core::RunAnswer found;
};

// Answers the question and puts it in words. `running`: more may come.
[[nodiscard]] Answer answerInWords(const core::RunData& data, const core::Analysis& analysis,
                                   const QString& baseline, const core::AnswerQuestion& question,
                                   bool running);

}  // namespace qs::app
