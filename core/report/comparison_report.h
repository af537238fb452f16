#pragma once

#include "core/analysis/run_comparison.h"
#include "core/base/json.h"

#include <string>
#include <vector>

namespace qs::core {

// A comparison with the name of the run that was held against the first.
struct NamedComparison {
    std::string name;
    RunSide side;
    RunComparison comparison;
};

// What a reader of several runs sees, in the words of every report. `baseName` and `base` are the
// run that the others are compared with.
struct ComparedRuns {
    std::string baseName;
    RunSide base;
    std::vector<NamedComparison> others;
};

// The answer, what changed, and a line for each cell that both have.
[[nodiscard]] std::string comparisonMarkdown(const ComparedRuns& runs);
// One line for each cell of each comparison; units in the names of columns.
[[nodiscard]] std::string comparisonCsv(const ComparedRuns& runs, bool formulaSafe = true);
[[nodiscard]] Json comparisonJson(const ComparedRuns& runs);

}  // namespace qs::core
