#pragma once

#include "core/image/difference.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"
#include "core/image/ssim.h"
#include "core/image/tiles.h"
#include "core/model/image_inputs.h"
#include "widgets/compare/lazy_map.h"
#include "widgets/compare/map_scale.h"
#include "widgets/compare/pane_image.h"

#include <QString>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace qs::widgets {

// One picture as one cell reconstructed it.
struct OutputSource {
    std::string cellId;        // empty: nothing is wanted here
    std::string folder = {};   // below that of the cell, see core::OutputPlaces
    QString unavailable = {};  // why there can be no file, in a sentence; then none is looked for
    std::filesystem::path runFolder = {};  // of another run; empty: that of the request

    bool operator==(const OutputSource&) const = default;
};

// Everything that decides what the panes of one selection show.
struct PictureRequest {
    std::filesystem::path runFolder;
    std::int64_t imageSize = 0;
    core::MiddlePart part;  // of the input, which the model took
    int picture = 0;        // index in the input set
    OutputSource reference;
    OutputSource a;
    OutputSource b;                    // without a cell when B is the reference
    std::vector<OutputSource> pinned;  // cells with a pane of their own

    bool operator==(const PictureRequest&) const = default;
};

// A picture, or the sentence that says why there is none; neither if none was wanted.
struct PaneContent {
    std::shared_ptr<const core::Picture> picture;  // [0, 1] nominally, not clamped
    PaneImage shown;                               // the same in 8 bits, NaN in its own colour
    QString problem;
    bool rounded = false;  // an output of which only the 8-bit PNG was kept
};

// How one output differs from another. SSIM and PSNR are of values clamped to [0, 1], as in
// OutputQuality; differences are of the values before clamping.
struct Comparison {
    core::SsimResult ssim;         // Wang04, without its map: that is 1 - dissimilarity
    core::PixelMap dissimilarity;  // 1 - SSIM, 0 … 2
    core::PixelMap absolute;       // |difference|, the largest of the channels
    core::PixelMap signedMean;     // difference, mean of the channels
    // Null where the pictures are not kept.
    std::shared_ptr<const FlipMap> flip;
    // In the order of the variants; null for Wang04, whose map is above.
    std::array<std::shared_ptr<const SsimMap>, core::kSsimVariants.size()> variants;
    double psnrDb = 0.0;  // +infinity if the clamped values are equal
    double maximumDifference = 0.0;
    bool identical = false;              // every value equal, before clamping
    std::vector<core::Tile> worstTiles;  // the worst first, by mean SSIM
    bool rounded = false;                // one of the pictures is

    // Null for Wang04 and where the pictures are not kept.
    [[nodiscard]] const SsimMap* variant(core::SsimVariant of) const
    {
        return variants.at(static_cast<std::size_t>(of)).get();
    }
};

// The map of one kind in a comparison; empty where there is none. Makes it first if it is FLIP's or
// that of a variant of SSIM: meant for workers.
[[nodiscard]] const core::PixelMap& mapOf(const Comparison& comparison, MapKind kind);

struct ComparisonContent {
    std::shared_ptr<const Comparison> value;
    QString problem;  // why there is none; empty if it was not wanted
};

// A pinned cell: its picture, compared with the reference.
struct PinnedPictures {
    PaneContent content;
    ComparisonContent toReference;
};

struct LoadedPictures {
    PictureRequest request;
    PaneContent input;
    PaneContent reference;
    PaneContent a;
    PaneContent b;
    ComparisonContent aToReference;
    ComparisonContent bToReference;
    std::vector<PinnedPictures> pinned;  // as in the request

    // Nothing that was wanted is missing: worth keeping, because asking again would not give more.
    [[nodiscard]] bool complete() const;
    // Memory of pixels and maps.
    [[nodiscard]] std::size_t bytes() const;
};

// How many places "next worst tile" visits.
inline constexpr int kWorstTiles = 8;

// Reads the files of a request and compares them. Blocking: meant for a worker thread. Never fails
// as a whole; every missing part says why. What `known` (may be null) has of the same picture is
// taken from there: another pane costs only what is new in it.
[[nodiscard]] LoadedPictures loadPictures(const PictureRequest& request,
                                          const LoadedPictures* known = nullptr);

// `picture` compared with `reference`; both of one size, at least 11 x 11, all values finite.
[[nodiscard]] core::Result<Comparison> comparePictures(const core::Picture& picture,
                                                       const core::Picture& reference);

}  // namespace qs::widgets
