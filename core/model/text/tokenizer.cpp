#include "core/model/text/tokenizer.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/model/text/tokenizer_file.h"
#include "core/model/text/tokenizer_parts.h"
#include "core/model/text/utf8.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kMostBytesOfAText = std::size_t{16} << 20U;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20U;

// A piece of a text: of letters, or a token as it stands there.
struct Piece {
    std::string text;
    std::int64_t token = -1;
};

// How far spaces reach from there on.
std::size_t spacesEnd(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        const Utf8Letter letter = letterAt(text, at);
        if (!isSpace(letter.letter))
            break;
        at = letter.end;
    }
    return at;
}

// Where the spaces before `end` begin.
std::size_t spacesStart(std::string_view text, std::size_t end)
{
    while (end > 0 && isSpace(letterBefore(text, end))) {
        std::string letter;
        appendUtf8(letter, letterBefore(text, end));
        end -= letter.size();
    }
    return end;
}

bool standsAlone(std::string_view text, std::size_t begin, std::size_t end)
{
    return (begin == 0 || !isWordLetter(letterBefore(text, begin))) &&
           (end == text.size() || !isWordLetter(letterAt(text, end).letter));
}

// The longest that begins there.
const AddedToken* tokenAt(const std::vector<AddedToken>& tokens, std::string_view text,
                          std::size_t at)
{
    const AddedToken* longest = nullptr;
    for (const AddedToken& token : tokens) {
        if (token.content[0] == text[at] && text.substr(at).starts_with(token.content) &&
            (longest == nullptr || token.content.size() > longest->content.size()))
            longest = &token;
    }
    return longest;
}

std::vector<Piece> withTokens(const std::vector<AddedToken>& tokens, std::string_view text)
{
    std::vector<Piece> pieces;
    std::size_t taken = 0;
    for (std::size_t at = 0; at < text.size();) {
        const AddedToken* token = tokenAt(tokens, text, at);
        if (token == nullptr) {
            ++at;
            continue;
        }
        std::size_t begin = at;
        std::size_t end = at + token->content.size();
        at = end;
        if (token->singleWord && !standsAlone(text, begin, end))
            continue;
        if (token->takesSpacesBefore)
            begin = std::max(taken, spacesStart(text, begin));
        if (token->takesSpacesBehind)
            end = spacesEnd(text, end);
        if (begin > taken)
            pieces.push_back({std::string(text.substr(taken, begin - taken))});
        pieces.push_back({{}, token->id});
        taken = std::max(end, taken);
        at = std::max(at, taken);
    }
    if (taken < text.size())
        pieces.push_back({std::string(text.substr(taken))});
    return pieces;
}

Status cut(const WordSplit& split, std::vector<std::string>& words)
{
    std::vector<std::string> parts;
    for (const std::string& word : words) {
        const auto keep = [&](std::size_t begin, std::size_t end, bool wanted) {
            if (wanted && begin < end)
                parts.push_back(word.substr(begin, end - begin));
        };
        std::size_t at = 0;
        while (at < word.size()) {
            QS_TRY(const auto match, split.pattern.find(word, at));
            if (!match)
                break;
            keep(at, match->first, split.keepsRest);
            keep(match->first, match->second, split.keepsMatches);
            at = match->second;
        }
        keep(at, word.size(), split.keepsRest);
    }
    words = std::move(parts);
    return {};
}

Status cut(const SpaceBefore&, std::vector<std::string>& words)
{
    for (std::string& word : words) {
        if (!word.starts_with(' '))
            word.insert(word.begin(), ' ');
    }
    return {};
}

// Whether it is surely what composing (NFC) gives: letters that combine with others, or stand for
// other ones, lie beyond U+0300 among marks, Hangul's parts and letters of compatibility.
bool surelyComposed(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Letter letter = letterAt(text, at);
        at = letter.end;
        const char32_t code = letter.letter;
        const bool mark = (bitOf(kindOf(code)) & kMarks) != 0;
        const bool singleton = code == 0x374 || code == 0x37E || code == 0x387 ||
                               (code >= 0x1F71 && code <= 0x1FFD) || code == 0x2000 ||
                               code == 0x2001 || code == 0x2126 || code == 0x212A ||
                               code == 0x212B || code == 0x2329 || code == 0x232A;
        const bool hangulPart = code >= 0x1100 && code <= 0x11FF;
        const bool compatible = (code >= 0xF900 && code <= 0xFB4F) ||
                                (code >= 0x1D15E && code <= 0x1D1C0) ||
                                (code >= 0x2F800 && code <= 0x2FA1F);
        const bool decomposed = (code >= 0x958 && code <= 0x95F) || code == 0x9DC ||
                                code == 0x9DD || code == 0x9DF ||
                                (code >= 0xA33 && code <= 0xA5E) || code == 0xB5C ||
                                code == 0xB5D || (code >= 0xF43 && code <= 0xFB9) || code == 0x2ADC;
        if (mark || singleton || hangulPart || compatible || decomposed)
            return false;
    }
    return true;
}

Status addWords(const TokenizerParts& parts, const std::string& text,
                std::vector<std::int64_t>& ids)
{
    std::vector<std::string> words{text};
    for (const CuttingStep& step : parts.cutting)
        QS_RETURN_IF_ERROR(std::visit([&](const auto& each) { return cut(each, words); }, step));
    for (const std::string& word : words)
        parts.pairs.encode(word, ids);
    return {};
}

}  // namespace

Result<Tokenizer> Tokenizer::parse(std::string_view json, std::string_view source)
{
    QS_TRY(TokenizerParts parts, parseTokenizer(json, source));
    return Tokenizer(std::make_shared<const TokenizerParts>(std::move(parts)));
}

Result<Tokenizer> Tokenizer::read(const FilePlace& place)
{
    QS_TRY(const std::string text, readTextFile(place, kMostFileBytes));
    return parse(text, place.string());
}

Result<std::vector<std::int64_t>> Tokenizer::encode(std::string_view text) const
{
    if (text.size() > kMostBytesOfAText || !isUtf8(text))
        return Error{ErrorCode::Format, "a text is no UTF-8, or longer than 16 MiB"};
    if (m_parts->composes && !surelyComposed(text))
        return Error{ErrorCode::Unsupported,
                     "a text has letters that the tokenizer would compose (NFC); give token ids "
                     "instead, or a text without combining letters"};
    std::vector<std::int64_t> ids = m_parts->before;
    for (const Piece& piece : withTokens(m_parts->added, text)) {
        if (piece.token >= 0)
            ids.push_back(piece.token);
        else
            QS_RETURN_IF_ERROR(addWords(*m_parts, piece.text, ids));
    }
    ids.insert(ids.end(), m_parts->behind.begin(), m_parts->behind.end());
    return ids;
}

std::string Tokenizer::bytesOf(std::int64_t id) const
{
    if (const auto found = m_parts->addedById.find(id); found != m_parts->addedById.end())
        return found->second;
    const std::string* bytes = m_parts->pairs.bytesOf(id);
    return bytes == nullptr ? std::string() : *bytes;
}

std::string Tokenizer::decode(const std::vector<std::int64_t>& ids) const
{
    std::string text;
    for (const std::int64_t id : ids)
        text += bytesOf(id);
    return cleanText(text);
}

std::int64_t Tokenizer::highestId() const
{
    const auto& added = m_parts->addedById;
    std::int64_t highest =
        std::max(m_parts->pairs.highestId(), added.empty() ? -1 : added.rbegin()->first);
    for (const auto* around : {&m_parts->before, &m_parts->behind}) {
        for (const std::int64_t id : *around)
            highest = std::max(highest, id);
    }
    return highest;
}

}  // namespace qs::core
