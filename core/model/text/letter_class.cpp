#include "core/model/text/letter_class.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace qs::core {

namespace {

struct NamedKinds {
    std::string_view name;
    LetterKinds kinds;
};

constexpr auto kKindNames = std::to_array<NamedKinds>({
    {"L", kLetters},
    {"M", kMarks},
    {"N", kNumbers},
    {"P", kindsBetween(LetterKind::Pc, LetterKind::Ps)},
    {"S", kindsBetween(LetterKind::Sc, LetterKind::So)},
    {"Z", kindsBetween(LetterKind::Zl, LetterKind::Zs)},
    {"C", kindsBetween(LetterKind::Cn, LetterKind::Cs)},
    {"Ll", bitOf(LetterKind::Ll)},
    {"Lm", bitOf(LetterKind::Lm)},
    {"Lo", bitOf(LetterKind::Lo)},
    {"Lt", bitOf(LetterKind::Lt)},
    {"Lu", bitOf(LetterKind::Lu)},
    {"Mn", bitOf(LetterKind::Mn)},
    {"Mc", bitOf(LetterKind::Mc)},
    {"Nd", bitOf(LetterKind::Nd)},
    {"Nl", bitOf(LetterKind::Nl)},
    {"No", bitOf(LetterKind::No)},
    {"Sm", bitOf(LetterKind::Sm)},
    {"Sc", bitOf(LetterKind::Sc)},
    {"Sk", bitOf(LetterKind::Sk)},
    {"So", bitOf(LetterKind::So)},
    {"Pd", bitOf(LetterKind::Pd)},
});

LetterClass readProperty(PatternText& text, bool negated)
{
    const std::size_t end = text.rest().find('}');
    if (!text.takes("{") || end == std::string_view::npos) {
        text.fail("\\p without {}");
        return {};
    }
    const std::string_view name = text.rest().substr(0, end - 1);
    const auto found = std::find_if(kKindNames.begin(), kKindNames.end(),
                                    [&](const NamedKinds& each) { return each.name == name; });
    if (found == kKindNames.end()) {
        text.fail("a property of letters that is not known here");
        return {};
    }
    text.skip(end);
    return {.kinds = negated ? ~found->kinds : found->kinds};
}

void addMember(LetterClass& letters, PatternText& text, bool ignoresCase)
{
    if (text.next() == '[' || text.takes("&&"))
        return text.fail("classes within classes");
    const bool escaped = text.takes("\\");
    const LetterClass member = escaped ? readEscape(text) : LetterClass::only(text.takeLetter());
    const bool single = member.ranges.size() == 1;
    if (single && text.rest().size() > 1 && text.next() == '-' && text.rest()[1] != ']') {
        text.skip(1);
        const LetterClass last =
            text.takes("\\") ? readEscape(text) : LetterClass::only(text.takeLetter());
        if (last.ranges.size() != 1 || last.ranges[0].last < member.ranges[0].first || ignoresCase)
            return text.fail("a range that is not understood");
        letters.ranges.push_back({member.ranges[0].first, last.ranges[0].last});
        return;
    }
    if (single)
        addLetter(letters, member.ranges[0].first, ignoresCase, text);
    letters.kinds |= member.kinds;
    letters.spaces = letters.spaces || member.spaces;
    letters.noSpaces = letters.noSpaces || member.noSpaces;
}

}  // namespace

bool LetterClass::has(char32_t letter) const
{
    const bool in = (kinds & bitOf(kindOf(letter))) != 0 || (spaces && isSpace(letter)) ||
                    (noSpaces && !isSpace(letter)) ||
                    std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
                        return letter >= range.first && letter <= range.last;
                    });
    return in != negated;
}

LetterClass readEscape(PatternText& text)
{
    const char32_t letter = text.takeLetter();
    switch (letter) {
    case 's':
        return {.spaces = true};
    case 'S':
        return {.noSpaces = true};
    case 'd':
        return {.kinds = bitOf(LetterKind::Nd)};
    case 'w':
        return {.kinds = kLetters | kMarks | bitOf(LetterKind::Nd) | bitOf(LetterKind::Pc)};
    case 'p':
    case 'P':
        return readProperty(text, letter == 'P');
    case 'r':
        return LetterClass::only('\r');
    case 'n':
        return LetterClass::only('\n');
    case 't':
        return LetterClass::only('\t');
    default:
        if (letter < 0x80 && isWordLetter(letter))
            text.fail("an escape that is not understood");
        return LetterClass::only(letter);
    }
}

LetterClass readBracketClass(PatternText& text, bool ignoresCase)
{
    LetterClass letters;
    letters.negated = text.takes("^");
    for (bool first = true; text.more() && (first || text.next() != ']'); first = false)
        addMember(letters, text, ignoresCase);
    if (!text.takes("]"))
        text.fail("a class without an end");
    return letters;
}

void addLetter(LetterClass& to, char32_t letter, bool ignoresCase, PatternText& text)
{
    to.ranges.push_back({letter, letter});
    if (!ignoresCase)
        return;
    if (letter > 0x7F)
        return text.fail("letters beyond ASCII without regard to case");
    const char32_t lower = letter | 0x20U;
    if (lower < 'a' || lower > 'z')
        return;
    to.ranges.push_back({lower, lower});
    to.ranges.push_back({lower - 0x20, lower - 0x20});
    if (lower == 's')
        to.ranges.push_back({0x17F, 0x17F});
    if (lower == 'k')
        to.ranges.push_back({0x212A, 0x212A});
}

}  // namespace qs::core
