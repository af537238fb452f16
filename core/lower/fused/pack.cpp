#include "core/lower/fused/pack.h"

#include <fmt/format.h>

namespace qs::core {

namespace {

// Whether a term, with the place at the first of the neighbours, is a multiple of the width, and
// what the others add to it is factor · (j / divisor).
bool beginsAtMultiple(const Coordinate::Term& term, std::int64_t width)
{
    const Atom& atom = term.atom;
    if (!atom.withinRow || atom.divisor % width == 0)
        return term.factor % width == 0;
    if (atom.variable != "i" || width % atom.divisor != 0 || term.factor % atom.divisor != 0)
        return false;
    return atom.modulus % (width / atom.divisor) == 0;
}

bool moves(const Atom& atom, std::int64_t width)
{
    return atom.withinRow && atom.divisor % width != 0;
}

}  // namespace

std::optional<Pack> packOf(const Coordinate& place, std::int64_t width)
{
    if (width == 1)
        return std::nullopt;
    const std::int64_t rest = place.number % width;
    std::int64_t last = rest;
    std::string text;
    for (const Coordinate::Term& term : place.terms) {
        if (!beginsAtMultiple(term, width))
            return std::nullopt;
        if (!moves(term.atom, width))
            continue;
        last += term.factor * ((width - 1) / term.atom.divisor);
        text +=
            fmt::format("{}j / {} * {}", text.empty() ? "" : " + ", term.atom.divisor, term.factor);
    }
    if (text.empty() || last >= width)
        return std::nullopt;
    Pack pack{place, rest == 0 ? text : fmt::format("{} + {}", text, rest)};
    pack.begin.number -= rest;
    return pack;
}

}  // namespace qs::core
