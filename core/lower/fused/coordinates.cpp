#include "core/lower/fused/coordinates.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t countOf(const Shape& shape, std::size_t first, std::size_t last)
{
    std::int64_t count = 1;
    for (std::size_t i = first; i < last; ++i)
        count *= shape[i];
    return count;
}

// A linear place within these extents, taken apart.
void takeApart(const Coordinate& place, const Shape& shape, std::size_t first, std::size_t last,
               Coordinates& result)
{
    for (std::size_t i = first; i < last; ++i)
        result.push_back(modulo(over(place, countOf(shape, i + 1, last)), shape[i]));
}

std::string codeOf(const Atom& atom)
{
    std::string code = atom.variable;
    if (atom.divisor != 1)
        code = "(" + code + " / " + std::to_string(atom.divisor) + ")";
    if (atom.modulus != 0)
        code = "(" + code + " % " + std::to_string(atom.modulus) + ")";
    return code;
}

// v / (d · m) % n · (s · m) + v / d % m · s is v / d % (n · m) · s.
bool joins(Coordinate::Term& first, const Coordinate::Term& next)
{
    const Atom& a = first.atom;
    const Atom& b = next.atom;
    if (b.modulus == 0 || a.variable != b.variable || a.divisor != b.divisor * b.modulus ||
        first.factor != next.factor * b.modulus)
        return false;
    first = {{.variable = a.variable,
              .bound = a.bound * b.modulus,
              .withinRow = a.withinRow,
              .byRow = a.byRow,
              .divisor = b.divisor,
              .modulus = a.modulus * b.modulus},
             next.factor};
    return true;
}

void add(Coordinate& sum, const Coordinate::Term& term)
{
    for (Coordinate::Term& each : sum.terms) {
        if (each.atom == term.atom) {
            each.factor += term.factor;
            return;
        }
        if (joins(each, term))
            return;
    }
    sum.terms.push_back(term);
}

// The terms that the divisor divides, and the rest.
std::pair<Coordinate, Coordinate> divided(const Coordinate& of, std::int64_t divisor)
{
    Coordinate whole = numberAt(of.number / divisor * divisor);
    Coordinate rest = numberAt(of.number % divisor);
    for (const Coordinate::Term& term : of.terms)
        (term.factor % divisor == 0 ? whole : rest).terms.push_back(term);
    return {whole, rest};
}

Coordinate shareOf(const Coordinate& whole, std::int64_t divisor)
{
    Coordinate share = numberAt(whole.number / divisor);
    for (const Coordinate::Term& term : whole.terms)
        share.terms.push_back({term.atom, term.factor / divisor});
    return share;
}

// of = whole · factor + rest, the rest below the factor, which divides the divisor.
struct Split {
    Coordinate whole;
    std::int64_t factor = 1;
    Coordinate rest;
};
std::optional<Split> splitFor(const Coordinate& of, std::int64_t divisor)
{
    for (const Coordinate::Term& term : of.terms) {
        if (term.factor <= 1 || divisor % term.factor != 0)
            continue;
        const auto [whole, rest] = divided(of, term.factor);
        if (rest.bound() <= term.factor)
            return Split{shareOf(whole, term.factor), term.factor, rest};
    }
    return std::nullopt;
}

bool isAtom(const Coordinate& of)
{
    return of.number == 0 && of.terms.size() == 1 && of.terms.front().factor == 1;
}

Coordinate variableAt(Atom atom)
{
    return atom.bound <= 1 ? numberAt(0) : Coordinate{.terms = {{std::move(atom), 1}}};
}

}  // namespace

bool Coordinate::withinRow() const
{
    return std::any_of(terms.begin(), terms.end(),
                       [](const Term& term) { return term.atom.withinRow; });
}

bool Coordinate::byRow() const
{
    return std::any_of(terms.begin(), terms.end(),
                       [](const Term& term) { return term.atom.byRow; });
}

std::int64_t Coordinate::bound() const
{
    std::int64_t most = number;
    for (const Term& term : terms)
        most += (term.atom.bound - 1) * term.factor;
    return most + 1;
}

std::string Coordinate::code() const
{
    std::string text;
    for (const Term& term : terms) {
        text += (text.empty() ? "" : " + ") + codeOf(term.atom);
        if (term.factor != 1)
            text += " * " + std::to_string(term.factor);
    }
    if (terms.empty() || number != 0)
        text += (text.empty() ? "" : " + ") + std::to_string(number);
    return terms.size() + (number != 0 ? 1 : 0) > 1 ? "(" + text + ")" : text;
}

Coordinate numberAt(std::int64_t number)
{
    return {.number = number};
}

Coordinate placeAt(std::string name, std::int64_t bound)
{
    return variableAt({.variable = std::move(name), .bound = bound, .withinRow = true});
}

Coordinate rowAt(std::string name, std::int64_t bound)
{
    return variableAt({.variable = std::move(name), .bound = bound, .byRow = true});
}

Coordinate expressionAt(std::string code, std::int64_t bound, const Coordinate& of)
{
    return variableAt({.variable = std::move(code),
                       .bound = bound,
                       .withinRow = of.withinRow(),
                       .byRow = of.byRow()});
}

Coordinate plus(const Coordinate& of, std::int64_t offset)
{
    Coordinate sum = of;
    sum.number += offset;
    return sum;
}

Coordinate over(const Coordinate& of, std::int64_t divisor)
{
    if (divisor == 1)
        return of;
    const auto [whole, rest] = divided(of, divisor);
    if (rest.bound() <= divisor)
        return shareOf(whole, divisor);
    if (const auto split = splitFor(of, divisor))
        return over(split->whole, divisor / split->factor);
    if (!whole.terms.empty())
        return linear({shareOf(whole, divisor), over(rest, divisor)}, {1, 1});
    if (isAtom(of)) {
        Atom atom = of.terms.front().atom;
        if (atom.modulus % divisor == 0) {
            atom.divisor *= divisor;
            atom.modulus /= divisor;
            atom.bound = (atom.bound + divisor - 1) / divisor;
            return {.terms = {{atom, 1}}};
        }
    }
    return expressionAt("(" + of.code() + " / " + std::to_string(divisor) + ")",
                        (of.bound() + divisor - 1) / divisor, of);
}

Coordinate modulo(const Coordinate& of, std::int64_t divisor)
{
    const auto [whole, rest] = divided(of, divisor);
    if (rest.bound() <= divisor)
        return rest;
    if (const auto split = splitFor(rest, divisor))
        return linear({modulo(split->whole, divisor / split->factor), split->rest},
                      {split->factor, 1});
    if (isAtom(rest)) {
        Atom atom = rest.terms.front().atom;
        if (atom.modulus % divisor == 0) {
            atom.modulus = divisor;
            atom.bound = std::min(atom.bound, divisor);
            return {.terms = {{atom, 1}}};
        }
    }
    return expressionAt("(" + rest.code() + " % " + std::to_string(divisor) + ")", divisor, rest);
}

Coordinate linear(const Coordinates& at, const std::vector<std::int64_t>& strides)
{
    Coordinate sum;
    for (std::size_t i = 0; i < at.size(); ++i) {
        sum.number += at[i].number * strides[i];
        for (const Coordinate::Term& term : at[i].terms) {
            if (strides[i] != 0)
                add(sum, {term.atom, term.factor * strides[i]});
        }
    }
    return sum;
}

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

Coordinates reshaped(const Coordinates& at, const std::vector<std::int64_t>& shape,
                     const std::vector<std::int64_t>& before)
{
    Coordinates result;
    std::size_t i = 0;
    std::size_t j = 0;
    // Axes that hold the same elements together in both shapes, as few as can be at a time.
    while (i < shape.size() || j < before.size()) {
        const std::size_t firstI = i;
        const std::size_t firstJ = j;
        std::int64_t here = i < shape.size() ? shape[i++] : 1;
        std::int64_t there = j < before.size() ? before[j++] : 1;
        while (here != there) {
            if (here < there && i < shape.size())
                here *= shape[i++];
            else if (j < before.size())
                there *= before[j++];
            else
                here *= shape[i++];
        }
        const Shape extents(shape.begin() + static_cast<std::ptrdiff_t>(firstI),
                            shape.begin() + static_cast<std::ptrdiff_t>(i));
        const Coordinates part(at.begin() + static_cast<std::ptrdiff_t>(firstI),
                               at.begin() + static_cast<std::ptrdiff_t>(i));
        takeApart(linear(part, denseStrides(extents)), before, firstJ, j, result);
    }
    return result;
}

Coordinates broadcast(const Coordinates& at, const std::vector<std::int64_t>& operand)
{
    Coordinates result;
    const std::size_t more = at.size() - operand.size();
    for (std::size_t i = 0; i < operand.size(); ++i)
        result.push_back(operand[i] == 1 ? numberAt(0) : at[more + i]);
    return result;
}

std::string toText(const Coordinates& at)
{
    std::string text;
    for (const Coordinate& each : at)
        text += each.code() + ",";
    return text;
}

bool withinRow(const Coordinates& at)
{
    return std::any_of(at.begin(), at.end(),
                       [](const Coordinate& each) { return each.withinRow(); });
}

}  // namespace qs::core
