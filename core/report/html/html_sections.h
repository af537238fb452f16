#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/pivot.h"
#include "core/base/result.h"
#include "core/record/run_data.h"

#include <cstddef>
#include <string>

// Parts of report.html; each is empty if there is nothing to show.
namespace qs::core {

// What the run answers, recommends and warns of.
[[nodiscard]] std::string htmlAnswer(const RunData& data, const Analysis& analysis,
                                     const Pivot& pivot);
// A table for each metric that sorts by any of its columns.
[[nodiscard]] std::string htmlPivots(const Analysis& analysis, const Pivot& pivot);
// Every cell with intervals, verdict and outlook, as many as a page can hold and a reader can use.
[[nodiscard]] std::string htmlCells(const Analysis& analysis);
inline constexpr std::size_t kMostCellRows = 1000;
// The id of the row of a cell there, by its place in Analysis::cells: links lead to it.
[[nodiscard]] std::string cellRowId(std::size_t place);
// Throughput over batch, with what other programs measured as hollow marks, and how far outputs are
// from the reference over speed.
[[nodiscard]] std::string htmlPlots(const RunData& data, const Analysis& analysis,
                                    const Pivot& pivot);
// Output images beside their reference with maps of where they differ, as many as `mostBytes` of
// the document hold. Reads them from the run folder; what cannot be read is named.
[[nodiscard]] std::string htmlImages(const RunData& data, const Analysis& analysis,
                                     std::size_t mostBytes);
[[nodiscard]] std::string htmlEnvironment(const RunData& data);

}  // namespace qs::core
