#include "core/model/text/alpaca.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr std::string_view kWithInput =
    "Below is an instruction that describes a task, paired with an input that provides further "
    "context. Write a response that appropriately completes the request.";
constexpr std::string_view kWithoutInput =
    "Below is an instruction that describes a task. Write a response that appropriately completes "
    "the request.";

Result<std::string> textMember(const Json& example, const char* name, bool needed)
{
    const auto found = example.find(name);
    if (found == example.end() || found->is_null()) {
        if (!needed)
            return std::string();
        return Error{ErrorCode::Format, "has no text \"" + std::string(name) +
                                            "\": expected instruction, input and output"};
    }
    if (!found->is_string())
        return Error{ErrorCode::Format, "its \"" + std::string(name) + "\" is no text"};
    return found->get<std::string>();
}

Result<std::string> framed(std::string_view line)
{
    QS_TRY(const Json example, parseJson(line, "example"));
    if (!example.is_object())
        return Error{ErrorCode::Format, "is no object {\"instruction\": …, \"output\": …}"};
    QS_TRY(const std::string instruction, textMember(example, "instruction", true));
    QS_TRY(const std::string input, textMember(example, "input", false));
    QS_TRY(const std::string output, textMember(example, "output", true));
    std::string text(input.empty() ? kWithoutInput : kWithInput);
    text += "\n\n### Instruction:\n" + instruction;
    if (!input.empty())
        text += "\n\n### Input:\n" + input;
    return text + "\n\n### Response:\n" + output;
}

}  // namespace

Result<std::vector<AlpacaText>> alpacaTexts(std::string_view jsonl)
{
    std::vector<AlpacaText> all;
    for (int line = 1; !jsonl.empty(); ++line) {
        const auto end = jsonl.find('\n');
        const std::string_view written = jsonl.substr(0, end);
        jsonl.remove_prefix(end == std::string_view::npos ? jsonl.size() : end + 1);
        if (written.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        auto text = framed(written);
        if (!text.ok())
            return text.error().within("line " + std::to_string(line));
        all.push_back({line, std::move(text).value()});
    }
    return all;
}

}  // namespace qs::core
