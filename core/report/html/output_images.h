#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/record/run_data.h"

#include <string>
#include <vector>

namespace qs::core {

// The stored output of one cell for one image, and how it differs from that of the reference.
struct OutputImage {
    const CellSummary* summary = nullptr;
    std::string png;                // bytes of a file; empty if it equals that of the reference
    std::vector<float> difference;  // absolute, mean over channels, of each pixel
};

// The outputs of cells that share a quality reference, for the image that shows most.
struct ImageGroup {
    const CellSummary* reference = nullptr;
    int image = 0;  // number in the input set
    std::string referencePng = {};
    int width = 0;
    int height = 0;
    bool reduced = false;                   // larger images are shown at kLongestSide
    std::vector<OutputImage> outputs = {};  // the farthest from the reference first
    std::vector<std::string> unread = {};   // what could not be read, and why
};

inline constexpr int kLongestSide = 512;

// Cells whose outputs were compared and stored, by reference; those with most of them first.
struct ImageCandidates {
    const CellSummary* reference = nullptr;
    std::vector<const CellSummary*> cells;  // the farthest first
};
[[nodiscard]] std::vector<ImageCandidates> imageCandidates(const Analysis& analysis);

// Reads as many outputs as `mostBytes` of PNG hold, those of the reference and of maps included.
// Files of a run folder may be anything: each is decoded and written anew.
[[nodiscard]] Result<ImageGroup> readImages(const RunData& data, const Analysis& analysis,
                                            const ImageCandidates& candidates,
                                            std::size_t mostBytes);

// A map in 32 steps, dark where nothing differs, as PNG. `full`: the difference of the brightest.
[[nodiscard]] Result<std::string> differenceMap(const ImageGroup& group, const OutputImage& output,
                                                double full);
// One for all maps of the group: the 99.5th percentile of all differences, rounded up to 1, 2 or 5
// times a power of ten.
[[nodiscard]] double mapScale(const ImageGroup& group);

}  // namespace qs::core
