#include "core/model/declared_input.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <charconv>

namespace qs::core {

namespace {

constexpr std::int64_t kMostSize = std::int64_t{1} << 31U;
constexpr std::size_t kMostDimensions = 16;
constexpr std::string_view kBatch = "batch";

Error refuse(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument, "input \"" + cleanLine(excerpt(text)) + "\": " + why +
                                            "; write it as x=float32[batch,3,224,224]"};
}

bool isName(std::string_view text)
{
    return !text.empty() && (text.front() < '0' || text.front() > '9') &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_';
           });
}

}  // namespace

TensorType DeclaredInput::typeFor(std::int64_t batchSize) const
{
    TensorType type{dtype, shape};
    if (batch)
        type.shape[*batch] = batchSize;
    return type;
}

Result<DeclaredInput> parseDeclaredInput(std::string_view text)
{
    DeclaredInput input;
    std::string_view rest = trimmed(text);
    if (const auto equals = rest.find('='); equals != std::string_view::npos) {
        const std::string_view name = trimmed(rest.substr(0, equals));
        if (!isName(name))
            return refuse(text, "no name stands before =");
        input.name = name;
        rest = trimmed(rest.substr(equals + 1));
    }
    const auto open = rest.find('[');
    if (open == std::string_view::npos || !rest.ends_with(']'))
        return refuse(text, "it has no sizes in brackets");
    const auto dtype = parseDType(trimmed(rest.substr(0, open)));
    if (!dtype)
        return refuse(text, "its type is unknown");
    input.dtype = *dtype;
    const std::string_view sizes = trimmed(rest.substr(open + 1, rest.size() - open - 2));
    if (sizes.empty())
        return input;
    for (const std::string& part : splitAt(std::string(sizes), ',')) {
        const std::string_view size = trimmed(part);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), number);
        const bool isNumber = error == std::errc() && end == size.data() + size.size();
        if (size == kBatch && !input.batch)
            input.batch = input.shape.size();
        else if (size == kBatch || !isNumber || number < 1 || number > kMostSize)
            return refuse(text, "\"" + cleanLine(excerpt(size)) +
                                    "\" is no size of 1 and more, nor the one batch");
        input.shape.push_back(size == kBatch ? 0 : number);
    }
    if (input.shape.size() > kMostDimensions)
        return refuse(text, "it has more than 16 sizes");
    return input;
}

std::string toText(const DeclaredInput& input)
{
    std::string text = input.name.empty() ? "" : input.name + "=";
    text += std::string(name(input.dtype)) + "[";
    for (std::size_t i = 0; i < input.shape.size(); ++i)
        text += (i == 0 ? "" : ",") +
                (input.batch == i ? std::string(kBatch) : std::to_string(input.shape[i]));
    return text + "]";
}

}  // namespace qs::core
