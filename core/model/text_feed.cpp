#include "core/model/text_feed.h"

#include "core/base/files.h"

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

}  // namespace

Result<HostTensor> promptIds(std::string_view text, const Tokenizer& tokenizer)
{
    std::vector<std::vector<std::int64_t>> prompts;
    std::size_t longest = 0;
    for (int line = 1; !text.empty(); ++line) {
        const auto end = text.find('\n');
        std::string_view written = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (written.ends_with('\r'))
            written.remove_suffix(1);
        if (written.empty())
            continue;
        auto ids = tokenizer.encode(withBreaks(written));
        if (!ids.ok())
            return ids.error().within("line " + std::to_string(line));
        longest = std::max(longest, ids.value().size());
        prompts.push_back(std::move(ids).value());
    }
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

Result<HostTensor> readPrompts(const TextFeed& feed)
{
    QS_TRY(const Tokenizer tokenizer, Tokenizer::read(feed.tokenizer));
    QS_TRY(const std::string text, readTextFile(feed.path, kMostPromptBytes));
    auto prompts = promptIds(text, tokenizer);
    return prompts.ok() ? std::move(prompts) : prompts.error().within(feed.path);
}

Result<HostTensor> fittedPrompts(const HostTensor& prompts, std::int64_t length,
                                 std::optional<std::int64_t> pad, std::int64_t highest)
{
    const auto* ids = std::get_if<std::vector<std::int64_t>>(&prompts.values);
    if (ids == nullptr || prompts.shape.size() != 2 || prompts.shape[0] < 1 || length < 1)
        return Error{ErrorCode::Format, "holds no prompts"};
    const std::int64_t longest = prompts.shape[1];
    const auto isUnknown = [&](std::int64_t id) { return id < 0 || id > highest; };
    if (pad && isUnknown(*pad))
        return Error{ErrorCode::InvalidArgument, "pad is no token of the model"};
    std::vector<std::int64_t> fitted;
    for (std::int64_t row = 0; row < prompts.shape[0]; ++row) {
        const auto first = ids->begin() + row * longest;
        const auto end = std::find(first, first + longest, kNoToken);
        const std::int64_t given = std::min<std::int64_t>(end - first, length);
        const std::string prompt = "prompt " + std::to_string(row + 1) + " has ";
        if (given < length && !pad)
            return Error{ErrorCode::InvalidArgument,
                         prompt + std::to_string(given) + " tokens and the model gets " +
                             std::to_string(length) +
                             ": take a smaller size, a longer prompt, or fill up with pad=ID"};
        if (std::any_of(first, first + given, isUnknown))
            return Error{ErrorCode::InvalidArgument,
                         prompt + "token ids above " + std::to_string(highest) +
                             ", the highest of the model: is the tokenizer another model's?"};
        fitted.insert(fitted.end(), static_cast<std::size_t>(length - given), pad.value_or(0));
        fitted.insert(fitted.end(), first, first + given);
    }
    return HostTensor{{prompts.shape[0], length}, std::move(fitted)};
}

}  // namespace qs::core
