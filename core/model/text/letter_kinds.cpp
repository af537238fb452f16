#include "core/model/text/letter_kinds.h"

#include "core/model/text/letter_ranges.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace qs::core {

namespace {

constexpr std::uint32_t kEvenCapitals = 30;
constexpr std::uint32_t kOddCapitals = 31;

}  // namespace

LetterKind kindOf(char32_t letter)
{
    constexpr char32_t kLast = 0x10FFFF;
    if (letter > kLast)
        return LetterKind::Cn;
    const auto wanted = static_cast<std::uint32_t>(letter) * 32 + 31;
    const std::span<const std::uint32_t> ranges = letterRanges();
    const std::uint32_t range = *std::prev(std::upper_bound(ranges.begin(), ranges.end(), wanted));
    const std::uint32_t kind = range % 32;
    if (kind == kEvenCapitals || kind == kOddCapitals)
        return (letter % 2 == 0) == (kind == kEvenCapitals) ? LetterKind::Lu : LetterKind::Ll;
    return static_cast<LetterKind>(kind);
}

bool isSpace(char32_t letter)
{
    constexpr LetterKinds kSpaces =
        bitOf(LetterKind::Zs) | bitOf(LetterKind::Zl) | bitOf(LetterKind::Zp);
    return (letter >= 9 && letter <= 13) || letter == 0x85 ||
           (bitOf(kindOf(letter)) & kSpaces) != 0;
}

bool isWordLetter(char32_t letter)
{
    constexpr LetterKinds kWord = kLetters | kMarks | bitOf(LetterKind::Nd) | bitOf(LetterKind::Pc);
    return (bitOf(kindOf(letter)) & kWord) != 0;
}

}  // namespace qs::core
