#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace qs::core {

// As torchmetrics compares the outputs of ViTok, in [-1, 1] with a range of 2: SSIM with a Gaussian
// of 1.5, mirrored borders and all positions, the mean over pictures; PSNR over the squared error
// of all their values, clamped.
struct PictureFigures {
    int pictures = 0;
    std::optional<double> ssim;
    std::optional<double> psnr;
    std::optional<double> maximumDifference;
    std::string reason = {};  // why there are none
};

// By the id of the cell.
using PictureFiguresById = std::unordered_map<std::string, PictureFigures>;

// Of the first `most` outputs of a cell against those of its bf16 reference; values beyond [-1, 1]
// stay.
[[nodiscard]] PictureFigures picturesAgainstReference(const RunData& data, const Analysis& analysis,
                                                      const CellSummary& cell, int most);
[[nodiscard]] PictureFiguresById picturesAgainstReference(const RunData& data,
                                                          const Analysis& analysis, int most);
// Of all stored outputs against the inputs, both clamped.
[[nodiscard]] PictureFiguresById picturesAgainstInput(const RunData& data,
                                                      const Analysis& analysis);

}  // namespace qs::core
