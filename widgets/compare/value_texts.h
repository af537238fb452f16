#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"
#include "widgets/compare/loaded_values.h"
#include "widgets/compare/value_table.h"

#include <QString>

#include <string>
#include <vector>

namespace qs::widgets {

// A sample of A beside the same of its reference.
struct ComparedSample {
    int sample = 0;
    const core::OutputQuality* quality = nullptr;  // null: not compared
};

// All samples of a cell that are kept or were compared, the farthest from the reference first;
// those of the reference itself in their order. The pointers are into `data`.
[[nodiscard]] std::vector<ComparedSample> samplesWorstFirst(const core::RunData& data,
                                                            const core::PlannedCell& cell,
                                                            const std::string& environmentId,
                                                            int kept);
// A row for each of them: name, and the figures that tell how far it is.
[[nodiscard]] ValueTable sampleTable(const core::RunData& data, core::OutputKind kind,
                                     const std::vector<ComparedSample>& samples);
// "03 landscape", "Sample 4"
[[nodiscard]] QString sampleName(const core::RunData& data, int sample);

// The recorded figures of a sample of each cell of the request, a row for each metric.
[[nodiscard]] ValueTable figureTable(const core::RunData& data, const ValuesRequest& request,
                                     const std::string& environmentId);
// The likeliest of the reference and of each cell beside each other.
[[nodiscard]] ValueTable scoreTable(const LoadedValues& loaded);
// The values of the first cell that differ most.
[[nodiscard]] ValueTable differenceTable(const LoadedValues& loaded);
// "Five likeliest tokens at position 17 of 128 (farthest from the reference)"
[[nodiscard]] QString scoreHeading(const LoadedValues& loaded);
// "Prompt (128 tokens): Once upon a time …", or its ids where there is no tokenizer.
[[nodiscard]] QString promptText(const LoadedValues& loaded);
// What of the files is missing, for whom, and why; empty if nothing is.
[[nodiscard]] QString missingText(const LoadedValues& loaded);

}  // namespace qs::widgets
