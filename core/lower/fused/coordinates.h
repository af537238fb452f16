#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// What a coordinate is made of: the row `r` or the place `i` in it, taken apart as
// variable / divisor % modulus (no modulus: 0), or an expression that nothing more is known of.
struct Atom {
    std::string variable;
    std::int64_t bound = 1;  // it is below
    bool withinRow = false;  // depends on the place in the row
    bool byRow = false;      // depends on the row
    std::int64_t divisor = 1;
    std::int64_t modulus = 0;
    bool operator==(const Atom&) const = default;
};

// One coordinate of an element in a kernel: a sum of atoms times factors, and a number.
struct Coordinate {
    struct Term {
        Atom atom;
        std::int64_t factor = 1;
    };
    std::vector<Term> terms = {};
    std::int64_t number = 0;

    [[nodiscard]] bool isNumber() const { return terms.empty(); }
    [[nodiscard]] bool withinRow() const;
    [[nodiscard]] bool byRow() const;
    [[nodiscard]] std::int64_t bound() const;  // it is below
    [[nodiscard]] std::string code() const;    // in C
};
using Coordinates = std::vector<Coordinate>;

[[nodiscard]] Coordinate numberAt(std::int64_t number);
[[nodiscard]] Coordinate placeAt(std::string name, std::int64_t bound);  // in a row
[[nodiscard]] Coordinate rowAt(std::string name, std::int64_t bound);
// An expression that depends on what another does.
[[nodiscard]] Coordinate expressionAt(std::string code, std::int64_t bound, const Coordinate& of);
// of + offset, of / divisor, of % divisor; with what is known put in.
[[nodiscard]] Coordinate plus(const Coordinate& of, std::int64_t offset);
[[nodiscard]] Coordinate over(const Coordinate& of, std::int64_t divisor);
[[nodiscard]] Coordinate modulo(const Coordinate& of, std::int64_t divisor);
// Sum of coordinates times strides.
[[nodiscard]] Coordinate linear(const Coordinates& at, const std::vector<std::int64_t>& strides);
[[nodiscard]] std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& shape);

// Where the element of a reshaped tensor lies in the shape before; both have as many elements.
[[nodiscard]] Coordinates reshaped(const Coordinates& at, const std::vector<std::int64_t>& shape,
                                   const std::vector<std::int64_t>& before);
// Where the element of a result lies in an operand that was broadcast to it.
[[nodiscard]] Coordinates broadcast(const Coordinates& at,
                                    const std::vector<std::int64_t>& operand);
// For equality: the expressions.
[[nodiscard]] std::string toText(const Coordinates& at);
[[nodiscard]] bool withinRow(const Coordinates& at);

}  // namespace qs::core
