#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

#include <cstdint>
#include <string>
#include <vector>

// Small runs by hand: a model "m" on the CPU at 256 px.
namespace qs::tests {

struct CellText {
    std::string id;
    std::string precision = "bf16";
    std::string compile = "none";
    std::int64_t batch = 1;
    std::string reference = {};  // id
};

[[nodiscard]] core::PlannedCell cellOf(const CellText& text);
[[nodiscard]] core::RunData runOf(const std::vector<CellText>& cells, int rounds = 3);

// An ok row whose passes took these seconds.
core::Measurement& addRow(core::RunData& data, const std::string& cellId, int round,
                          const std::vector<double>& seconds,
                          const std::string& environment = "e1");
// A row that is not ok.
core::Measurement& addFailure(core::RunData& data, const std::string& cellId, int round,
                              core::FailureKind kind);
// Evidence of a stage that left int8 products out.
[[nodiscard]] std::vector<core::ExecutedStage> ranSomethingElse();
// An SSIM of 1 is an identical picture.
core::OutputQuality& addQuality(core::RunData& data, const std::string& cellId,
                                const std::string& reference, int picture, double ssim,
                                double psnr = 30.0);

}  // namespace qs::tests

// What is written piece by piece, as a whole; found where the arguments are.
namespace qs::core {

[[nodiscard]] Json reportJson(const RunData& data, const Analysis& analysis);
[[nodiscard]] std::string measurementsCsv(const RunData& data, bool formulaSafe = true);
[[nodiscard]] std::string samplesCsv(const RunData& data, bool formulaSafe = true);

}  // namespace qs::core
