#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace qs::widgets {

// What a cell has taken after so many passes, from its begin on.
struct TotalTimeLine {
    QString cellId;
    QString name;
    QString precision;  // decides the colour
    QString compile;    // decides the line
    bool isBaseline = false;
    double begin = 0.0;    // seconds before the first pass is done but for its own time
    double seconds = 0.0;  // per pass
    std::optional<core::BreakEven> breakEven;  // with the baseline; of compiled cells

    [[nodiscard]] double after(double passes) const { return begin + passes * seconds; }
};

// The cells that share a speed baseline, and that baseline first.
struct TotalTimes {
    std::vector<TotalTimeLine> lines;
    double mostPasses = 1.0;  // where all that is to be seen has been

    [[nodiscard]] bool empty() const { return lines.empty(); }
};

// Of the cells that are compiled, the baselines: each has a plot of its own. In order of the plan.
[[nodiscard]] QStringList compiledBaselines(const core::Analysis& analysis);
// The baseline that a cell is plotted with; the cell itself if it is one or has none.
[[nodiscard]] QString plottedWith(const core::CellSummary& summary);
[[nodiscard]] TotalTimes totalTimesOf(const core::Analysis& analysis, const QString& baseline,
                                      core::CompileStart start);

}  // namespace qs::widgets
