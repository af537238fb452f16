#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// How a picture of any shape becomes the square that a model takes.
enum class PictureCrop {
    Center,  // "center": shrunk to the shorter side, then the middle: the ADM / DiT loaders
    Pad,     // "pad": all of it, shrunk to the longer side if need be, mid grey right and below
};

inline constexpr std::string_view kShippedImages = "procedural";

struct PictureSettings {
    // "procedural" (the shipped test images), a folder, or one file.
    std::string source = std::string(kShippedImages);
    int count = 16;  // at most 16 outputs are kept per cell
    PictureCrop crop = PictureCrop::Center;

    [[nodiscard]] bool shipped() const { return source == kShippedImages; }
    bool operator==(const PictureSettings&) const = default;
};

// What is absent is as in `settings`.
[[nodiscard]] PictureSettings picturesFromJson(const Json& json, const std::string& path,
                                               std::vector<JsonIssue>& issues,
                                               PictureSettings settings = {});
[[nodiscard]] Json toJson(const PictureSettings& settings);

}  // namespace qs::core
