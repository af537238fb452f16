#pragma once

#include <cstdint>

namespace qs::core {

// The general categories of Unicode, in the order of their short names.
enum class LetterKind : std::uint8_t {
    Cn,
    Cc,
    Cf,
    Co,
    Cs,
    Ll,
    Lm,
    Lo,
    Lt,
    Lu,
    Mc,
    Me,
    Mn,
    Nd,
    Nl,
    No,
    Pc,
    Pd,
    Pe,
    Pf,
    Pi,
    Po,
    Ps,
    Sc,
    Sk,
    Sm,
    So,
    Zl,
    Zp,
    Zs
};

// A set of them, a bit each.
using LetterKinds = std::uint32_t;
[[nodiscard]] constexpr LetterKinds bitOf(LetterKind kind)
{
    return LetterKinds{1} << static_cast<unsigned>(kind);
}
// All from one to another.
[[nodiscard]] constexpr LetterKinds kindsBetween(LetterKind first, LetterKind last)
{
    return (bitOf(last) << 1U) - bitOf(first);
}
inline constexpr LetterKinds kLetters = kindsBetween(LetterKind::Ll, LetterKind::Lu);
inline constexpr LetterKinds kMarks = kindsBetween(LetterKind::Mc, LetterKind::Mn);
inline constexpr LetterKinds kNumbers = kindsBetween(LetterKind::Nd, LetterKind::No);

// By Unicode 14. Beyond the last code point: Cn.
[[nodiscard]] LetterKind kindOf(char32_t letter);
// The property White_Space.
[[nodiscard]] bool isSpace(char32_t letter);
// Of words: letters, marks, decimal numbers and what connects them.
[[nodiscard]] bool isWordLetter(char32_t letter);

}  // namespace qs::core
