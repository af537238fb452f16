#include "core/base/json_parser.h"

#include <nlohmann/json.hpp>

#include <locale.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace qs::core {

namespace {

// Lists of numbers get their place at once up to this length; a hostile text may promise any.
constexpr std::size_t kMostReserved = 4096;

// Letters that stand for themselves in a text.
constexpr std::array<bool, 256> plainLetters()
{
    std::array<bool, 256> plain{};
    for (std::size_t letter = 0x20; letter < 0x80; ++letter)
        plain[letter] = letter != '"' && letter != '\\';
    return plain;
}
constexpr std::array<bool, 256> kPlain = plainLetters();

bool isDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

void appendUtf8(std::string& text, unsigned code)
{
    const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0U | (code >> 6U));
        add(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        add(0xE0U | (code >> 12U));
        add(0x80U | ((code >> 6U) & 0x3FU));
        add(0x80U | (code & 0x3FU));
    } else {
        add(0xF0U | (code >> 18U));
        add(0x80U | ((code >> 12U) & 0x3FU));
        add(0x80U | ((code >> 6U) & 0x3FU));
        add(0x80U | (code & 0x3FU));
    }
}

// Bytes of the letter that `lead` begins, and the range of its second byte (RFC 3629); 0 if it
// begins none.
struct Multibyte {
    std::size_t bytes = 0;
    unsigned lowest = 0x80;
    unsigned highest = 0xBF;
};

Multibyte multibyteOf(unsigned lead)
{
    if (lead >= 0xC2 && lead <= 0xDF)
        return {2};
    if (lead == 0xE0)
        return {3, 0xA0, 0xBF};
    if (lead == 0xED)
        return {3, 0x80, 0x9F};  // no surrogates
    if (lead >= 0xE1 && lead <= 0xEF)
        return {3};
    if (lead == 0xF0)
        return {4, 0x90, 0xBF};
    if (lead >= 0xF1 && lead <= 0xF3)
        return {4};
    if (lead == 0xF4)
        return {4, 0x80, 0x8F};
    return {};
}

// What from_chars() calls out of range may be too small, which is no fault: the nearest number it
// is, by the rules of no country.
double nearestNumber(std::string_view digits)
{
    static const locale_t kNoCountry = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return ::strtod_l(std::string(digits).c_str(), nullptr, kNoCountry);
}

}  // namespace

bool JsonParser::refuse(const std::string& why)
{
    if (m_complaint.empty())
        m_complaint = "at byte " + std::to_string(m_at + 1) + ": " + why;
    return false;
}

bool JsonParser::expected(const char* what)
{
    if (m_at >= m_text.size())
        return refuse(std::string("expected ") + what + ", but the text ends");
    return refuse(std::string("expected ") + what);
}

void JsonParser::skipSpace()
{
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' ||
                                    m_text[m_at] == '\r' || m_text[m_at] == '\t'))
        ++m_at;
}

bool JsonParser::take(char letter)
{
    if (peek() != letter)
        return false;
    ++m_at;
    return true;
}

bool JsonParser::parse(Json& document)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (m_text.starts_with(kByteOrderMark))
        m_at = kByteOrderMark.size();
    if (!parseValue(document))
        return false;
    skipSpace();
    return m_at == m_text.size() || refuse("expected the end of the document");
}

bool JsonParser::parseValue(Json& value)
{
    skipSpace();
    if (++m_values > m_limits.nodes)
        return refuse("more than " + std::to_string(m_limits.nodes) + " values");
    switch (peek()) {
    case '{':
        return parseObject(value);
    case '[':
        return parseArray(value);
    case '"':
        value = std::string();
        return parseString(value.get_ref<std::string&>());
    case 't':
        return parseWord("true", true, value);
    case 'f':
        return parseWord("false", false, value);
    case 'n':
        return parseWord("null", nullptr, value);
    default:
        return parseNumber(value);
    }
}

bool JsonParser::parseWord(std::string_view word, Json content, Json& value)
{
    if (!m_text.substr(m_at).starts_with(word))
        return expected("a value");
    m_at += word.size();
    value = std::move(content);
    return true;
}

bool JsonParser::enter()
{
    if (m_depth >= m_limits.depth)
        return refuse("nested deeper than " + std::to_string(m_limits.depth) + " levels");
    ++m_depth;
    ++m_at;
    skipSpace();
    return true;
}

bool JsonParser::parseObject(Json& value)
{
    value = Json::object();
    if (!enter())
        return false;
    if (!take('}')) {
        do {
            skipSpace();
            if (!parseMember(value))
                return false;
            skipSpace();
        } while (take(','));
        if (!take('}'))
            return expected("a comma or the end of the object");
    }
    --m_depth;
    return true;
}

bool JsonParser::parseMember(Json& object)
{
    if (peek() != '"')
        return expected("a key");
    std::string key;
    if (!parseString(key))
        return false;
    auto& members = object.get_ref<Json::object_t&>();
    const std::size_t before = members.size();
    // What this program has written is sorted.
    const auto member = members.emplace_hint(members.end(), std::move(key), nullptr);
    if (members.size() == before)
        return refuse("the key \"" + member->first + "\" appears twice");
    skipSpace();
    if (!take(':'))
        return expected("a colon");
    return parseValue(member->second);
}

// The number of commas up to the end of a list is that of its elements, unless it holds other
// lists.
void JsonParser::reserveNumbers(Json& array) const
{
    if (!isDigit(peek()) && peek() != '-')
        return;
    const std::string_view rest = m_text.substr(m_at);
    const std::string_view list = rest.substr(0, rest.find(']'));
    const auto elements = static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) + 1;
    if (elements <= kMostReserved)
        array.get_ref<Json::array_t&>().reserve(elements);
}

bool JsonParser::parseArray(Json& value)
{
    value = Json::array();
    if (!enter())
        return false;
    if (!take(']')) {
        reserveNumbers(value);
        auto& elements = value.get_ref<Json::array_t&>();
        do {
            if (!parseValue(elements.emplace_back()))
                return false;
            skipSpace();
        } while (take(','));
        if (!take(']'))
            return expected("a comma or the end of the list");
    }
    --m_depth;
    return true;
}

bool JsonParser::parseString(std::string& text)
{
    ++m_at;  // the quote
    while (true) {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && kPlain[static_cast<unsigned char>(m_text[m_at])])
            ++m_at;
        text.append(m_text, begin, m_at - begin);
        if (text.size() > m_limits.stringBytes)
            return refuse("a text is longer than " + std::to_string(m_limits.stringBytes) +
                          " bytes");
        if (m_at >= m_text.size())
            return expected("the end of a text");
        if (take('"'))
            return true;
        const bool ok = peek() == '\\' ? appendEscape(text) : appendMultibyte(text);
        if (!ok)
            return false;
    }
}

bool JsonParser::appendEscape(std::string& text)
{
    ++m_at;  // the backslash
    const char letter = peek();
    ++m_at;
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        text += letter;
        return true;
    case 'b':
        text += '\b';
        return true;
    case 'f':
        text += '\f';
        return true;
    case 'n':
        text += '\n';
        return true;
    case 'r':
        text += '\r';
        return true;
    case 't':
        text += '\t';
        return true;
    case 'u':
        return appendUnicode(text);
    default:
        --m_at;
        return refuse("no such escape in a text");
    }
}

bool JsonParser::parseHexDigits(unsigned& code)
{
    constexpr std::size_t kDigits = 4;
    const std::string_view digits = m_text.substr(m_at, kDigits);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < kDigits || error != std::errc() || end != digits.data() + kDigits)
        return expected("four hexadecimal digits");
    m_at += kDigits;
    return true;
}

bool JsonParser::appendUnicode(std::string& text)
{
    unsigned code = 0;
    if (!parseHexDigits(code))
        return false;
    if (code >= 0xDC00 && code <= 0xDFFF)
        return refuse("the second half of a surrogate pair without the first");
    if (code >= 0xD800 && code <= 0xDBFF) {
        unsigned second = 0;
        if (!take('\\') || !take('u'))
            return expected("the second half of a surrogate pair");
        if (!parseHexDigits(second))
            return false;
        if (second < 0xDC00 || second > 0xDFFF)
            return refuse("no second half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10U) + (second - 0xDC00);
    }
    appendUtf8(text, code);
    return true;
}

bool JsonParser::appendMultibyte(std::string& text)
{
    const auto byteAt = [&](std::size_t offset) {
        return static_cast<unsigned>(static_cast<unsigned char>(m_text[m_at + offset]));
    };
    if (byteAt(0) < 0x80)
        return refuse("a control character in a text");
    const Multibyte letter = multibyteOf(byteAt(0));
    if (letter.bytes == 0 || m_text.size() - m_at < letter.bytes || byteAt(1) < letter.lowest ||
        byteAt(1) > letter.highest)
        return refuse("a text is not UTF-8");
    for (std::size_t i = 2; i < letter.bytes; ++i) {
        if (byteAt(i) < 0x80 || byteAt(i) > 0xBF)
            return refuse("a text is not UTF-8");
    }
    text.append(m_text, m_at, letter.bytes);
    m_at += letter.bytes;
    return true;
}

// At least one.
bool JsonParser::skipDigits()
{
    if (!isDigit(peek()))
        return expected("a digit");
    while (isDigit(peek()))
        ++m_at;
    return true;
}

bool JsonParser::parseNumber(Json& value)
{
    const std::size_t begin = m_at;
    const bool negative = take('-');
    if (!isDigit(peek()))
        return expected(negative ? "a digit" : "a value");
    if (!take('0') && !skipDigits())
        return false;
    bool whole = true;
    if (take('.')) {
        whole = false;
        if (!skipDigits())
            return false;
    }
    if (take('e') || take('E')) {
        whole = false;
        if (!take('+'))
            take('-');
        if (!skipDigits())
            return false;
    }
    const std::string_view digits = m_text.substr(begin, m_at - begin);
    const char* end = digits.data() + digits.size();
    // Beyond 64 bits they are floating-point numbers.
    if (std::int64_t integer = 0;
        whole && negative && std::from_chars(digits.data(), end, integer).ec == std::errc()) {
        value = integer;
        return true;
    }
    if (std::uint64_t integer = 0;
        whole && !negative && std::from_chars(digits.data(), end, integer).ec == std::errc()) {
        value = integer;
        return true;
    }
    return parseFloat(digits, value);
}

bool JsonParser::parseFloat(std::string_view digits, Json& value)
{
    double number = 0.0;
    const char* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, number).ec == std::errc::result_out_of_range)
        number = nearestNumber(digits);
    if (!std::isfinite(number))
        return refuse("the number " + std::string(digits.substr(0, 40)) + " is not finite");
    value = number;
    return true;
}

}  // namespace qs::core
