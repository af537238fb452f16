#pragma once

#include "core/analysis/analysis.h"
#include "core/base/npy.h"
#include "core/record/run_data.h"
#include "core/stats/moments.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

// What several profiles ask of a run.
namespace qs::core {

inline constexpr double kMebibyte = 1024.0 * 1024.0;

// Cells that a document's script would have run: noise-floor runs are ours.
[[nodiscard]] std::vector<const CellSummary*> profiledCells(const Analysis& analysis);

// Seconds per pass by the clock of the host, with its launches and the wait, as scripts time: all
// samples that count of the ok rows of the environment that the figures of a cell come from. By id.
using HostTimes = std::unordered_map<std::string, Moments>;
[[nodiscard]] Result<HostTimes> hostTimes(const RunData& data, const Analysis& analysis);
// Seconds of a phase, of the same rows. By id.
[[nodiscard]] Result<HostTimes> phaseTimes(const RunData& data, const Analysis& analysis,
                                           Phase phase);
// Divided by n, not n - 1: NumPy's std. Nothing without samples.
[[nodiscard]] std::optional<double> populationDeviation(const Moments& moments);

// That the figures of a cell come from; null if it was not measured anywhere yet.
[[nodiscard]] const DeviceDescription* measuredDevice(const RunData& data,
                                                      const CellSummary& summary);
// Why a cell has no figures: "out of memory".
// Why there is no peak of the allocator.
[[nodiscard]] std::string whyNoMemory(const CellSummary& summary);
[[nodiscard]] std::string whyNoFigures(const CellSummary& summary);

// Stored outputs, of the environment that the figures of the cell come from.
[[nodiscard]] int storedOutputs(const Analysis& analysis, const CellSummary& summary);
// Why they are missing, for those who read the report elsewhere: without the name of a file.
[[nodiscard]] Error withoutPlace(const Error& error, const std::string& what);
[[nodiscard]] std::string storedPlace(const Analysis& analysis, const CellSummary& summary);
[[nodiscard]] Result<FloatArray> storedOutput(const RunData& data, const Analysis& analysis,
                                              const CellSummary& summary, int number);

}  // namespace qs::core
