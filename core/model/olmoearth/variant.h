#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core::olmoearth {

// Channels that become one token: first … first + count - 1 of their modality.
struct Bandset {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// A satellite's images and how their bands are grouped.
struct Modality {
    std::string_view name;       // as in checkpoints: "sentinel2_l2a"
    std::string_view shortName;  // as in variants: "s2"
    std::string_view description;
    std::int64_t bands = 0;
    std::vector<Bandset> bandsets;
};

// In the order of their tokens: Sentinel-2, Sentinel-1, Landsat.
[[nodiscard]] const std::vector<Modality>& modalities();

// Which encoder, and what it sees.
struct Variant {
    std::int64_t width = 128;
    std::int64_t depth = 4;
    std::int64_t heads = 8;
    std::vector<std::size_t> seen{0};  // indices of modalities(), rising

    [[nodiscard]] std::int64_t bandsets() const;
};

// The published sizes: nano, tiny, small, base, large, giga.
struct PublishedSize {
    std::string_view name;
    std::int64_t width, depth, heads;
};
[[nodiscard]] const std::vector<PublishedSize>& publishedSizes();
// Null if no published size has that width and depth.
[[nodiscard]] const PublishedSize* findSize(std::int64_t width, std::int64_t depth);

// "base", "nano/s2+s1+landsat", "w64_d2_h4/s1"; Sentinel-2 where nothing is said of modalities.
[[nodiscard]] Result<Variant> parseVariant(std::string_view text);
// The shortest text that means it.
[[nodiscard]] std::string toText(const Variant& variant);

}  // namespace qs::core::olmoearth
