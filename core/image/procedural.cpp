#include "core/image/procedural.h"

#include "core/base/checks.h"
#include "core/image/scenes/scenes.h"

#include <cstdio>
#include <utility>

namespace qs::core {

namespace {

using scenes::Canvas;
using scenes::Random;

struct KindEntry {
    ProceduralKind kind;
    std::string_view name;
    void (*draw)(Canvas&, Random&);
};

void drawCollage(Canvas& canvas, Random& random);

constexpr std::array kEntries{
    KindEntry{ProceduralKind::DeadLeaves, "dead-leaves", scenes::drawDeadLeaves},
    KindEntry{ProceduralKind::Portrait, "portrait", scenes::drawPortrait},
    KindEntry{ProceduralKind::Landscape, "landscape", scenes::drawLandscape},
    KindEntry{ProceduralKind::Text, "text", scenes::drawText},
    KindEntry{ProceduralKind::FractalNoise, "fractal-noise", scenes::drawFractalNoise},
    KindEntry{ProceduralKind::Spheres, "spheres", scenes::drawSpheres},
    KindEntry{ProceduralKind::Gratings, "gratings", scenes::drawGratings},
    KindEntry{ProceduralKind::Gradients, "gradients", scenes::drawGradients},
    KindEntry{ProceduralKind::Edges, "edges", scenes::drawEdges},
    KindEntry{ProceduralKind::Collage, "collage", drawCollage}};
static_assert(kEntries.size() == kProceduralKinds.size());

const KindEntry& entryOf(ProceduralKind kind)
{
    for (const KindEntry& entry : kEntries) {
        if (entry.kind == kind)
            return entry;
    }
    failCheck("a kind without an entry", __FILE__, __LINE__);
}

struct Tile {
    int x = 0;
    int y = 0;
    int size = 0;
};

void drawTile(Canvas& canvas, Random& random, const Tile& tile)
{
    // Everything but the collage itself, which comes last.
    const auto& entry =
        kEntries[static_cast<std::size_t>(random.below(static_cast<int>(kEntries.size()) - 1))];
    Canvas part(tile.size, canvas.stop());
    entry.draw(part, random);
    for (int y = 0; y < tile.size; ++y) {
        for (int x = 0; x < tile.size; ++x)
            canvas.at(tile.x + x, tile.y + y) = part.at(x, y);
    }
}

// Four quarters, some of them quartered again, with a thin frame between.
void drawCollage(Canvas& canvas, Random& random)
{
    canvas.fill([](scenes::Point) { return scenes::grey(0.97); });
    const int half = canvas.size() / 2;
    const int gap = std::max(1, canvas.size() / 128);
    for (int quarter = 0; quarter < 4; ++quarter) {
        const int x = quarter % 2 * half;
        const int y = quarter / 2 * half;
        const int parts = half >= 64 && random.chance(0.4) ? 2 : 1;
        const int side = half / parts;
        for (int i = 0; i < parts * parts; ++i)
            drawTile(canvas, random,
                     {x + i % parts * side + gap, y + i / parts * side + gap, side - 2 * gap});
    }
}

std::uint64_t seedOf(std::int64_t seed, std::uint64_t stream)
{
    return scenes::scramble(scenes::scramble(static_cast<std::uint64_t>(seed)) + stream);
}

ProceduralKind kindInSet(int index)
{
    return kProceduralKinds[static_cast<std::size_t>(index) % kProceduralKinds.size()];
}

}  // namespace

std::string_view toString(ProceduralKind kind)
{
    return entryOf(kind).name;
}

std::optional<ProceduralKind> proceduralKindFromString(std::string_view text)
{
    for (const KindEntry& entry : kEntries) {
        if (entry.name == text)
            return entry.kind;
    }
    return std::nullopt;
}

Picture proceduralPicture(ProceduralKind kind, std::int64_t seed, int size, std::stop_token stop)
{
    QS_ASSERT(size >= kSmallestProcedural && size <= kLargestProcedural);
    Canvas canvas(size, std::move(stop));
    Random random(seedOf(seed, static_cast<std::uint64_t>(kind)));
    entryOf(kind).draw(canvas, random);
    return canvas.picture();
}

std::string proceduralSetName(int index)
{
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "%02d ", index + 1);
    return number.data() + std::string(toString(kindInSet(index)));
}

NamedPicture proceduralSetPicture(int index, std::int64_t seed, int size, std::stop_token stop)
{
    const auto own =
        static_cast<std::int64_t>(seedOf(seed, 1000 + static_cast<std::uint64_t>(index)));
    return {proceduralSetName(index),
            proceduralPicture(kindInSet(index), own, size, std::move(stop))};
}

std::vector<NamedPicture> proceduralSet(int count, std::int64_t seed, int size)
{
    std::vector<NamedPicture> set;
    for (int i = 0; i < count; ++i)
        set.push_back(proceduralSetPicture(i, seed, size));
    return set;
}

}  // namespace qs::core
