#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/tiles.h"

#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// A stored output of a cell as a picture with values in [0, 1], nominally.
struct StoredOutput {
    Picture picture;
    // Only the PNG was kept: clamped to [0, 1] and rounded to 8 bits. Figures made from it differ
    // from those of the record by that rounding.
    bool rounded = false;
};

// The array if the place has it, see outputPlace(), else the PNG; NotFound if neither is there.
// Damaged files are errors and never replaced by the other.
[[nodiscard]] Result<StoredOutput> readStoredOutput(const std::filesystem::path& runFolder,
                                                    const std::string& place, int picture);

// A tile of a stored output, and its likeness to the same place of a reference.
struct StoredTile {
    Picture picture;             // of the size of the tile
    bool rounded = false;        // the output or its reference is
    std::optional<double> ssim;  // as Tile::mean; empty without a reference to compare with
};

// Reads only the tile and the margin that its SSIM depends on, where the arrays are stored.
// `tile` is one of worstTiles() of a Wang04 map of these pictures. An empty `referencePlace` leaves
// out the comparison.
[[nodiscard]] Result<StoredTile> readStoredTile(const std::filesystem::path& runFolder,
                                                const std::string& place,
                                                const std::string& referencePlace, int picture,
                                                const Tile& tile);

}  // namespace qs::core
