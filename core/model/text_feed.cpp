#include "core/model/text_feed.h"

#include "core/base/files.h"
#include "core/model/text/alpaca.h"
#include "core/model/text/byte_tokenizer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

constexpr std::uint64_t kMostPromptBytes = std::uint64_t{16} << 20U;
constexpr std::size_t kMostPrompts = 4096;
constexpr std::size_t kMostIds = std::size_t{1} << 26U;  // of all prompts, filled up

// "\n" is a line break, "\\" a backslash, any other backslash itself.
std::string withBreaks(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char next = line[i] == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
        if (next == 'n' || next == '\\') {
            text += next == 'n' ? '\n' : '\\';
            ++i;
        } else {
            text += line[i];
        }
    }
    return text;
}

// How long all may be when they are filled up to the longest.
Status checkRoom(const std::vector<std::vector<std::int64_t>>& prompts, std::size_t longest)
{
    if (prompts.empty())
        return Error{ErrorCode::InvalidArgument, "holds no prompt"};
    if (prompts.size() > kMostPrompts || longest > kMostIds / prompts.size())
        return Error{ErrorCode::InvalidArgument, "more than 4,096 prompts, or too long ones"};
    return {};
}

// A prompt with its line in the file.
struct WrittenPrompt {
    int line = 0;
    std::string text;
};

std::vector<WrittenPrompt> promptLines(std::string_view text)
{
    std::vector<WrittenPrompt> prompts;
    for (int line = 1; !text.empty(); ++line) {
        const auto end = text.find('\n');
        std::string_view written = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (written.ends_with('\r'))
            written.remove_suffix(1);
        if (!written.empty())
            prompts.push_back({line, withBreaks(written)});
    }
    return prompts;
}

Result<std::vector<WrittenPrompt>> promptsOf(const TextFeed& feed, const std::string& text)
{
    if (!feed.path.ends_with(".jsonl")) {
        if (feed.pieces)
            return std::vector<WrittenPrompt>{{1, text}};
        return promptLines(text);
    }
    QS_TRY(std::vector<AlpacaText> examples, alpacaTexts(text));
    std::vector<WrittenPrompt> prompts;
    for (AlpacaText& each : examples)
        prompts.push_back({each.line, std::move(each.text)});
    return prompts;
}

Result<std::vector<std::vector<std::int64_t>>> idsOf(const std::vector<WrittenPrompt>& prompts,
                                                     const Tokenizer& tokenizer)
{
    std::vector<std::vector<std::int64_t>> all;
    for (const WrittenPrompt& prompt : prompts) {
        auto ids = tokenizer.encode(prompt.text);
        if (!ids.ok())
            return ids.error().within("line " + std::to_string(prompt.line));
        all.push_back(std::move(ids).value());
    }
    return all;
}

// Filled up to the longest.
Result<HostTensor> filledUp(std::vector<std::vector<std::int64_t>> prompts)
{
    std::size_t longest = 0;
    for (const std::vector<std::int64_t>& prompt : prompts)
        longest = std::max(longest, prompt.size());
    QS_RETURN_IF_ERROR(checkRoom(prompts, longest));
    std::vector<std::int64_t> all;
    for (std::vector<std::int64_t>& prompt : prompts) {
        prompt.resize(longest, kNoToken);
        all.insert(all.end(), prompt.begin(), prompt.end());
    }
    return HostTensor{
        {static_cast<std::int64_t>(prompts.size()), static_cast<std::int64_t>(longest)},
        std::move(all)};
}

// One behind the other, in a row.
Result<HostTensor> joined(const std::vector<std::vector<std::int64_t>>& prompts)
{
    std::vector<std::int64_t> all;
    for (const std::vector<std::int64_t>& prompt : prompts)
        all.insert(all.end(), prompt.begin(), prompt.end());
    if (all.empty())
        return Error{ErrorCode::InvalidArgument, "holds no prompt"};
    const auto length = static_cast<std::int64_t>(all.size());
    return HostTensor{{1, length}, std::move(all)};
}

Result<HostTensor> readIds(const TextFeed& feed, const Tokenizer& tokenizer,
                           const std::string& text)
{
    QS_TRY(const std::vector<WrittenPrompt> prompts, promptsOf(feed, text));
    QS_TRY(auto ids, idsOf(prompts, tokenizer));
    return feed.pieces ? joined(ids) : filledUp(std::move(ids));
}

}  // namespace

Result<HostTensor> promptIds(std::string_view text, const Tokenizer& tokenizer)
{
    QS_TRY(auto ids, idsOf(promptLines(text), tokenizer));
    return filledUp(std::move(ids));
}

Result<std::string> readTokenizerOf(const TextFeed& feed)
{
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
    if (feed.tokenizer == kByteTokenizer)
        return byteTokenizer();
    return readTextFile(feed.tokenizer, kMostBytes);
}

Result<HostTensor> readPrompts(const TextFeed& feed)
{
    QS_TRY(const std::string json, readTokenizerOf(feed));
    QS_TRY(const Tokenizer tokenizer, Tokenizer::parse(json, feed.tokenizer));
    QS_TRY(const std::string text, readTextFile(feed.path, kMostPromptBytes));
    auto ids = readIds(feed, tokenizer, text);
    return ids.ok() ? std::move(ids) : ids.error().within(feed.path);
}

namespace {

using Ids = std::vector<std::int64_t>;

// The ids of each prompt, of which there is at least one.
Result<std::vector<Ids>> rowsOf(const HostTensor& prompts)
{
    const auto* ids = std::get_if<Ids>(&prompts.values);
    if (ids == nullptr || prompts.shape.size() != 2 || prompts.shape[0] < 1)
        return Error{ErrorCode::Format, "holds no prompts"};
    std::vector<Ids> rows;
    for (std::int64_t row = 0; row < prompts.shape[0]; ++row) {
        const auto first = ids->begin() + row * prompts.shape[1];
        rows.emplace_back(first, std::find(first, first + prompts.shape[1], kNoToken));
    }
    return rows;
}

std::string numbered(std::size_t row)
{
    return "prompt " + std::to_string(row + 1);
}

// Of the first so many.
Status checkTokens(const Ids& ids, std::size_t count, std::int64_t highest)
{
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(count);
    const auto unknown =
        std::find_if(ids.begin(), end, [&](std::int64_t id) { return id < 0 || id > highest; });
    if (unknown == end)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "token " + std::to_string(unknown - ids.begin() + 1) + " has the id " +
                     std::to_string(*unknown) + ", and the highest of the model is " +
                     std::to_string(highest) + ": is the tokenizer another model's?"};
}

HostTensor tensorOf(std::size_t rows, std::int64_t length, Ids ids)
{
    return {{static_cast<std::int64_t>(rows), length}, std::move(ids)};
}

}  // namespace

Result<HostTensor> fittedPrompts(const HostTensor& prompts, std::int64_t length,
                                 std::optional<std::int64_t> pad, std::int64_t highest)
{
    QS_TRY(const std::vector<Ids> rows, rowsOf(prompts));
    if (length < 1)
        return Error{ErrorCode::Format, "holds no prompts"};
    if (pad && (*pad < 0 || *pad > highest))
        return Error{ErrorCode::InvalidArgument, "pad is no token of the model"};
    const auto most = static_cast<std::size_t>(length);
    Ids fitted;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t given = std::min(rows[row].size(), most);
        if (given < most && !pad)
            return Error{ErrorCode::InvalidArgument,
                         numbered(row) + " has " + std::to_string(given) +
                             " tokens and the model gets " + std::to_string(length) +
                             ": take a smaller size or a longer prompt, let each have its own "
                             "length with length=own, or fill up with pad=ID"};
        if (const Status status = checkTokens(rows[row], given, highest); !status.ok())
            return status.error().within(numbered(row));
        fitted.insert(fitted.end(), most - given, pad.value_or(0));
        fitted.insert(fitted.end(), rows[row].begin(),
                      rows[row].begin() + static_cast<std::ptrdiff_t>(given));
    }
    return tensorOf(rows.size(), length, std::move(fitted));
}

Result<std::vector<std::int64_t>> promptLengths(const HostTensor& prompts)
{
    QS_TRY(const std::vector<Ids> rows, rowsOf(prompts));
    std::vector<std::int64_t> lengths;
    for (const Ids& row : rows)
        lengths.push_back(static_cast<std::int64_t>(row.size()));
    return lengths;
}

Status checkPromptLengths(const std::vector<std::int64_t>& lengths, std::int64_t most)
{
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        if (lengths[row] < 1 || lengths[row] > most)
            return Error{ErrorCode::InvalidArgument,
                         numbered(row) + " has " + std::to_string(lengths[row]) +
                             " tokens and the model gets up to " + std::to_string(most) +
                             ": take a larger size"};
    }
    return {};
}

Result<HostTensor> repeatedPrompts(const HostTensor& prompts, std::int64_t length,
                                   std::int64_t highest)
{
    QS_TRY(const std::vector<Ids> rows, rowsOf(prompts));
    Ids repeated;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Ids& ids = rows[row];
        if (ids.empty())
            return Error{ErrorCode::Format, numbered(row) + " has no tokens"};
        if (const Status status = checkTokens(ids, ids.size(), highest); !status.ok())
            return status.error().within(numbered(row));
        for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i)
            repeated.push_back(ids[i % ids.size()]);
    }
    return tensorOf(rows.size(), length, std::move(repeated));
}

Result<HostTensor> cutPieces(const HostTensor& all, std::int64_t length, std::int64_t highest)
{
    const auto* ids = std::get_if<Ids>(&all.values);
    if (ids == nullptr || length < 1)
        return Error{ErrorCode::Format, "holds no token ids"};
    QS_RETURN_IF_ERROR(checkTokens(*ids, ids->size(), highest));
    const std::int64_t count = static_cast<std::int64_t>(ids->size()) / length;
    if (count == 0)
        return Error{ErrorCode::InvalidArgument,
                     "the text has " + std::to_string(ids->size()) + " tokens and the model gets " +
                         std::to_string(length) + ": take a smaller size or a longer text"};
    return tensorOf(static_cast<std::size_t>(count), length,
                    Ids(ids->begin(), ids->begin() + count * length));
}

}  // namespace qs::core
