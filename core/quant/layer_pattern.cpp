#include "core/quant/layer_pattern.h"

#include "core/base/text_parts.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace qs::core {

namespace {

constexpr std::size_t kLongestText = 8192;
constexpr std::int64_t kLargestNumber = 1'000'000;

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool leads = text.size() > 1 && text.front() == '0';
    if (text.empty() || leads || error != std::errc() || next != text.data() + text.size() ||
        number < 0 || number > kLargestNumber)
        return std::nullopt;
    return number;
}

Error refuse(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument, "layers \"" + std::string(text) + "\": " + why};
}

}  // namespace

Result<LayerPattern::Part> LayerPattern::parsePart(std::string_view text)
{
    Part part;
    const auto open = text.find('{');
    const auto close = text.find('}');
    if (text.empty() || (open == std::string_view::npos) != (close == std::string_view::npos) ||
        (open != std::string_view::npos && (close < open || text.rfind('{') != open ||
                                            text.find('}', close + 1) != std::string_view::npos)))
        return refuse(text, "a part of a path has one pair of braces at most, and is not empty");
    if (text == "*") {
        part.any = true;
        return part;
    }
    if (open == std::string_view::npos) {
        part.before = text;
        return part;
    }
    part.before = text.substr(0, open);
    part.after = text.substr(close + 1);
    for (const std::string& choice : splitAt(text.substr(open + 1, close - open - 1), ',')) {
        const auto dash = choice.find('-');
        const auto single = numberOf(choice);
        const auto first = dash == std::string::npos
                               ? std::nullopt
                               : numberOf(std::string_view(choice).substr(0, dash));
        const auto last = dash == std::string::npos
                              ? std::nullopt
                              : numberOf(std::string_view(choice).substr(dash + 1));
        if (choice.empty() || (first && last && *last < *first))
            return refuse(text, "\"" + choice + "\" is no word and no range");
        if (single)
            part.choices.emplace_back(Range{*single, *single});
        else if (first && last)
            part.choices.emplace_back(Range{*first, *last});
        else
            part.choices.emplace_back(choice);
    }
    return part;
}

bool LayerPattern::meets(const Part& part, std::string_view name)
{
    if (part.any)
        return true;
    if (part.choices.empty())
        return name == part.before;
    if (name.size() < part.before.size() + part.after.size() || !name.starts_with(part.before) ||
        !name.ends_with(part.after))
        return false;
    name.remove_prefix(part.before.size());
    name.remove_suffix(part.after.size());
    const auto number = numberOf(name);
    return std::any_of(part.choices.begin(), part.choices.end(), [&](const Choice& choice) {
        if (const auto* range = std::get_if<Range>(&choice))
            return number && *number >= range->first && *number <= range->second;
        return name == std::get<std::string>(choice);
    });
}

Result<LayerPattern> LayerPattern::parse(std::string_view text)
{
    LayerPattern pattern;
    pattern.m_text = text;
    for (const std::string& each : splitAt(text, '.')) {
        QS_TRY(Part part, parsePart(each));
        pattern.m_parts.push_back(std::move(part));
    }
    if (pattern.m_parts.empty())
        return refuse(text, "is empty");
    return pattern;
}

bool LayerPattern::meets(std::string_view module) const
{
    return !moduleMet(module).empty();
}

std::string_view LayerPattern::moduleMet(std::string_view module) const
{
    std::size_t begin = 0;
    std::size_t end = 0;
    for (const Part& part : m_parts) {
        if (begin >= module.size())
            return {};
        end = std::min(module.find('.', begin), module.size());
        if (!meets(part, module.substr(begin, end - begin)))
            return {};
        begin = end + 1;
    }
    return module.substr(0, end);
}

Result<std::vector<LayerPattern>> parseLayerPatterns(std::string_view text)
{
    if (text.empty() || text.size() > kLongestText)
        return refuse(text.substr(0, 64), "must have 1 to 8192 characters");
    std::vector<LayerPattern> patterns;
    for (const std::string& each : splitOutsideBraces(text, ',')) {
        QS_TRY(LayerPattern pattern, LayerPattern::parse(each));
        patterns.push_back(std::move(pattern));
    }
    return patterns;
}

namespace {

// What stands before and behind the first part that is a number.
struct Frame {
    std::string before;
    std::string after;

    auto operator<=>(const Frame&) const = default;
};

std::optional<std::pair<Frame, std::int64_t>> framed(const std::string& module)
{
    std::size_t begin = 0;
    while (begin <= module.size()) {
        const std::size_t end = std::min(module.find('.', begin), module.size());
        if (const auto number = numberOf(std::string_view(module).substr(begin, end - begin)))
            return std::pair(Frame{module.substr(0, begin), module.substr(end)}, *number);
        begin = end + 1;
    }
    return std::nullopt;
}

std::string rangesText(const std::set<std::int64_t>& numbers)
{
    std::string text;
    bool several = false;
    for (auto each = numbers.begin(); each != numbers.end();) {
        const std::int64_t first = *each;
        std::int64_t last = first;
        while (++each != numbers.end() && *each == last + 1)
            last = *each;
        several = several || !text.empty() || last != first;
        text += (text.empty() ? "" : ",") + std::to_string(first);
        if (last != first)
            text += "-" + std::to_string(last);
    }
    return several ? "{" + text + "}" : text;
}

}  // namespace

std::string layerPatternsText(const std::vector<std::string>& modules)
{
    std::map<Frame, std::set<std::int64_t>> numbered;
    std::vector<Frame> order;  // as they came
    std::vector<std::string> texts;
    for (const std::string& module : modules) {
        const auto found = framed(module);
        if (!found) {
            if (std::find(texts.begin(), texts.end(), module) == texts.end())
                texts.push_back(module);
            continue;
        }
        if (!numbered.contains(found->first))
            order.push_back(found->first);
        numbered[found->first].insert(found->second);
    }
    for (const Frame& frame : order)
        texts.push_back(frame.before + rangesText(numbered.at(frame)) + frame.after);
    std::string text;
    for (const std::string& each : texts)
        text += (text.empty() ? "" : ",") + each;
    return text;
}

}  // namespace qs::core
