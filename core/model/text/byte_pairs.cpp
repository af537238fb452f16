#include "core/model/text/byte_pairs.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/model/text/utf8.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>

namespace qs::core {

namespace {

// Bytes that are visible letters stand for themselves, the others for letters from U+0100 on.
bool isVisible(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::map<char32_t, char> makeByteLetters()
{
    std::map<char32_t, char> letters;
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte)
        letters.emplace(isVisible(byte) ? static_cast<char32_t>(byte) : next++,
                        static_cast<char>(byte));
    return letters;
}

// Nothing if a letter stands for no byte.
std::optional<std::string> asBytes(std::string_view token)
{
    static const std::map<char32_t, char> letters = makeByteLetters();
    std::string bytes;
    for (std::size_t at = 0; at < token.size();) {
        const Utf8Letter letter = letterAt(token, at);
        const auto found = letters.find(letter.letter);
        if (found == letters.end())
            return std::nullopt;
        bytes += found->second;
        at = letter.end;
    }
    return bytes;
}

// A part of a word, with its neighbours; joined ones are gone.
struct Symbol {
    std::int64_t id = 0;
    std::ptrdiff_t before = -1;
    std::ptrdiff_t behind = -1;
    bool there = true;
};

// Two neighbours that can be joined; lowest rank first, then the leftmost.
struct Candidate {
    std::size_t rank = 0;
    std::size_t place = 0;
    std::int64_t left = 0;
    std::int64_t right = 0;
    std::int64_t whole = 0;

    bool operator>(const Candidate& other) const
    {
        return std::pair(rank, place) > std::pair(other.rank, other.place);
    }
};

}  // namespace

void BytePairs::addToken(std::string_view token, std::int64_t id)
{
    m_highest = std::max(m_highest, id);
    auto bytes = asBytes(token);
    if (!bytes || bytes->empty())
        return;
    m_bytes.insert_or_assign(id, *bytes);
    m_ids.insert_or_assign(std::move(*bytes), id);
}

Status BytePairs::addMerge(std::string_view left, std::string_view right)
{
    const auto first = asBytes(left);
    const auto second = asBytes(right);
    const auto a = first ? idOf(*first) : std::nullopt;
    const auto b = second ? idOf(*second) : std::nullopt;
    const auto whole = a && b ? idOf(*first + *second) : std::nullopt;
    if (!whole)
        return Error{ErrorCode::Format, "merges \"" + cleanLine(excerpt(left)) + "\" and \"" +
                                            cleanLine(excerpt(right)) +
                                            "\", of which something is no token of bytes"};
    m_merges.insert_or_assign({*a, *b}, Merge{m_merges.size(), *whole});
    return {};
}

void BytePairs::encode(std::string_view word, std::vector<std::int64_t>& ids) const
{
    if (m_wholeWordsFirst) {
        if (const auto id = idOf(word)) {
            ids.push_back(*id);
            return;
        }
    }
    std::vector<Symbol> symbols;
    for (const char byte : word) {
        const auto id = idOf(std::string_view(&byte, 1));
        const auto place = static_cast<std::ptrdiff_t>(symbols.size());
        if (id)
            symbols.push_back({*id, place - 1, place + 1});
    }
    if (symbols.empty())
        return;
    symbols.back().behind = -1;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto look = [&](std::ptrdiff_t place) {
        if (place < 0 || symbols[static_cast<std::size_t>(place)].behind < 0)
            return;
        const Symbol& left = symbols[static_cast<std::size_t>(place)];
        const Symbol& right = symbols[static_cast<std::size_t>(left.behind)];
        if (const auto merge = m_merges.find({left.id, right.id}); merge != m_merges.end())
            candidates.push({merge->second.rank, static_cast<std::size_t>(place), left.id, right.id,
                             merge->second.id});
    };
    for (std::size_t i = 0; i < symbols.size(); ++i)
        look(static_cast<std::ptrdiff_t>(i));
    while (!candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        Symbol& left = symbols[best.place];
        if (!left.there || left.id != best.left || left.behind < 0)
            continue;
        Symbol& right = symbols[static_cast<std::size_t>(left.behind)];
        if (right.id != best.right)
            continue;
        left.id = best.whole;
        left.behind = right.behind;
        right.there = false;
        if (right.behind >= 0)
            symbols[static_cast<std::size_t>(right.behind)].before =
                static_cast<std::ptrdiff_t>(best.place);
        look(left.before);
        look(static_cast<std::ptrdiff_t>(best.place));
    }
    for (const Symbol& symbol : symbols) {
        if (symbol.there)
            ids.push_back(symbol.id);
    }
}

const std::string* BytePairs::bytesOf(std::int64_t id) const
{
    const auto found = m_bytes.find(id);
    return found == m_bytes.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> BytePairs::idOf(std::string_view bytes) const
{
    const auto found = m_ids.find(std::string(bytes));
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace qs::core
