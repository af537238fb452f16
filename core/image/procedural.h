#pragma once

#include "core/image/picture.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Pictures made from a number, so that every copy of the program has a varied test set without
// shipping files or rights. Each kind stresses something else that quantization may damage.
enum class ProceduralKind {
    DeadLeaves,    // occluding shapes of all sizes: edges and textures with the statistics of
                   // photographs
    Portrait,      // a face of nobody: soft shading, fine strokes of hair, small features
    Landscape,     // haze, ridges, trees, water: depth and fine irregular detail
    Text,          // rows of glyphs from large to barely legible
    FractalNoise,  // coloured clouds, marble and relief: detail at every scale
    Spheres,    // shaded and mirroring balls on a checkered floor: highlights, shadows, perspective
    Gratings,   // zone plates, line pairs, stars: all frequencies and directions
    Gradients,  // slopes so gentle that one missing level shows as a band
    Edges,      // polygons, slanted lines and checkers of strong and weak contrast
    Collage,    // several of the above side by side
};

inline constexpr std::array kProceduralKinds{
    ProceduralKind::DeadLeaves, ProceduralKind::Portrait,     ProceduralKind::Landscape,
    ProceduralKind::Text,       ProceduralKind::FractalNoise, ProceduralKind::Spheres,
    ProceduralKind::Gratings,   ProceduralKind::Gradients,    ProceduralKind::Edges,
    ProceduralKind::Collage};

// The word for files and command lines: dead-leaves, portrait, …
[[nodiscard]] std::string_view toString(ProceduralKind kind);
[[nodiscard]] std::optional<ProceduralKind> proceduralKindFromString(std::string_view text);

inline constexpr int kSmallestProcedural = 16;
inline constexpr int kLargestProcedural = 4096;

// A colour picture of size x size pixels (kSmallestProcedural … kLargestProcedural, checked). Equal
// arguments give equal bits on every machine: only operations that IEEE 754 rounds exactly are
// used, and the values are multiples of 1/255. The composition does not depend on the size, fine
// detail does. When a stop is asked for meanwhile, the picture is unfinished.
[[nodiscard]] Picture proceduralPicture(ProceduralKind kind, std::int64_t seed, int size,
                                        std::stop_token stop = {});

struct NamedPicture {
    std::string name;  // e.g. "03 landscape"
    Picture picture;
};

// Number `index` of the set below, and its name alone, which costs nothing.
[[nodiscard]] NamedPicture proceduralSetPicture(int index, std::int64_t seed, int size,
                                                std::stop_token stop = {});
[[nodiscard]] std::string proceduralSetName(int index);

// `count` pictures that go through the kinds in turn, each from a seed of its own. The first
// pictures of a longer set are those of a shorter one.
[[nodiscard]] std::vector<NamedPicture> proceduralSet(int count, std::int64_t seed, int size);

}  // namespace qs::core
