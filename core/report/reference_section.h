#pragma once

#include "core/analysis/analysis.h"
#include "core/base/json.h"
#include "core/record/reference_results.h"
#include "core/report/plain_table.h"

#include <string>

// What other programs measured of the same network, in every kind of report: under their names and
// without verdict. See Note [Reference results]. All of it is empty without such files.
namespace qs::core {

// "torch.compile (torch 2.11.0) on NVIDIA H100, 2026-11-27 02:28 UTC."
[[nodiscard]] std::string originText(const ReferenceResults& results);
// What the file has not in common with the run, and how the cell that both have compares. Empty
// where there is nothing to tell.
[[nodiscard]] std::string comparedText(const ReferenceResults& results, const RunData& data,
                                       const Analysis& analysis);
// What such results are, for whoever reads them beside a run.
[[nodiscard]] std::string referencesMeaning();
[[nodiscard]] PlainTable referenceTable(const ReferenceResults& results);
// Its columns of figures, from the batch to the distance; before them stand names, behind them the
// status.
constexpr int kFirstReferenceFigure = 2;
constexpr int kLastReferenceFigure = 10;
// "ok", or why there are no numbers.
[[nodiscard]] std::string statusText(const ReferenceRow& row);
// "none", "3: call to print (2), …", or why nothing was counted.
[[nodiscard]] std::string graphBreaksText(const ReferenceRow& row);

[[nodiscard]] std::string referenceSection(const RunData& data, const Analysis& analysis);
[[nodiscard]] std::string htmlReferences(const RunData& data, const Analysis& analysis);
// One line for each row of each file.
[[nodiscard]] std::string referencesCsv(const RunData& data, bool formulaSafe);
// With all samples.
[[nodiscard]] Json referencesJson(const RunData& data);

}  // namespace qs::core
