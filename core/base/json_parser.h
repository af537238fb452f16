#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>

namespace qs::core {

// Parses one JSON document (RFC 8259) and counts depth, values and lengths on its way, so that a
// hostile text is refused before it costs memory. Strict: UTF-8 must be valid, surrogates come in
// pairs, a key appears once, numbers are finite. For one document.
class JsonParser final
{
public:
    // `text` must outlive the parser and hold no NUL.
    JsonParser(std::string_view text, const JsonLimits& limits) : m_text(text), m_limits(limits) {}

    // False if the text is refused; see complaint().
    [[nodiscard]] bool parse(Json& document);
    // "at byte 12: expected a value".
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

private:
    bool refuse(const std::string& why);
    bool expected(const char* what);
    void skipSpace();
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool take(char letter);

    bool parseValue(Json& value);
    bool parseWord(std::string_view word, Json content, Json& value);
    bool parseObject(Json& value);
    bool parseMember(Json& object);
    bool parseArray(Json& value);
    void reserveNumbers(Json& array) const;
    bool enter();

    bool parseString(std::string& text);
    bool appendEscape(std::string& text);
    bool appendUnicode(std::string& text);
    bool parseHexDigits(unsigned& code);
    bool appendMultibyte(std::string& text);

    bool parseNumber(Json& value);
    bool skipDigits();
    bool parseFloat(std::string_view digits, Json& value);

    std::string_view m_text;
    const JsonLimits& m_limits;
    std::size_t m_at = 0;
    std::size_t m_depth = 0;
    std::size_t m_values = 0;
    std::string m_complaint;
};

}  // namespace qs::core
