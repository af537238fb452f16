#pragma once

#include "core/lower/fused/coordinates.h"

#include <cstdint>
#include <optional>
#include <string>

namespace qs::core {

// Elements that lie next to each other and are read at once: where they begin, for the first place
// `i` of those that a thread takes, and which of them the place i + `j` reads.
struct Pack {
    Coordinate begin;
    std::string place;

    // The place i + j reads the element j.
    [[nodiscard]] bool inOrder() const { return place == "j / 1 * 1"; }
};

// Of the elements at `place`, for `width` neighbouring places from a multiple of it on. Nothing if
// they do not lie within `width` neighbours that begin at a multiple of `width`.
[[nodiscard]] std::optional<Pack> packOf(const Coordinate& place, std::int64_t width);

}  // namespace qs::core
