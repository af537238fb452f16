#include "core/base/parameters.h"

#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace qs::core {

namespace {

std::string textOf(const ParameterValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&value))
        return formatExact(*real);
    return std::get<std::string>(value);
}

const Parameter* parameterInName(const std::vector<Parameter>& parameters)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [](const Parameter& each) { return each.inName; });
    return found == parameters.end() ? nullptr : &*found;
}

template <typename Number>
std::optional<Number> numberFrom(std::string_view text)
{
    Number number{};
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (text.empty() || error != std::errc() || end != last)
        return std::nullopt;
    return number;
}

// Of the parameter's type; nothing if the text is none.
std::optional<ParameterValue> valueFrom(const Parameter& parameter, std::string_view text)
{
    if (std::holds_alternative<std::int64_t>(parameter.fallback))
        return numberFrom<std::int64_t>(text);
    if (std::holds_alternative<double>(parameter.fallback))
        return numberFrom<double>(text);
    return ParameterValue(std::string(text));
}

bool isAllowed(const Parameter& parameter, const ParameterValue& value)
{
    if (!parameter.choices.empty())
        return std::find(parameter.choices.begin(), parameter.choices.end(), value) !=
               parameter.choices.end();
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (whole == nullptr && real == nullptr)
        return false;
    const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
    return number >= parameter.lowest && number <= parameter.highest;  // false for NaN
}

std::string allowedText(const Parameter& parameter)
{
    if (parameter.choices.empty())
        return fmt::format("a number from {} to {}", formatExact(parameter.lowest),
                           formatExact(parameter.highest));
    std::string text = parameter.several ? "some of " : "";
    for (std::size_t i = 0; i < parameter.choices.size(); ++i)
        text += (i == 0 ? "" : ", ") + textOf(parameter.choices[i]);
    return parameter.several ? text + ", joined by +" : text;
}

Error notAllowed(const Parameter& parameter, std::string_view text)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("{} cannot be \"{}\"; it can be {}", parameter.name, text.substr(0, 40),
                        allowedText(parameter))};
}

// Words in any order, in the order of the choices.
Result<ParameterValue> readSeveral(const Parameter& parameter, std::string_view text)
{
    const std::vector<std::string> words = splitAt(text, '+');
    std::string chosen;
    std::size_t count = 0;
    for (const ParameterValue& choice : parameter.choices) {
        const std::string word = textOf(choice);
        if (std::find(words.begin(), words.end(), word) == words.end())
            continue;
        chosen += (chosen.empty() ? "" : "+") + word;
        ++count;
    }
    if (count != words.size())  // an unknown word, or one that stands there twice
        return notAllowed(parameter, text);
    return ParameterValue(chosen);
}

Result<ParameterValue> read(const Parameter& parameter, std::string_view text)
{
    if (parameter.several)
        return readSeveral(parameter, text);
    if (parameter.normal != nullptr) {
        QS_TRY(std::string normal, parameter.normal(text));
        return ParameterValue(std::move(normal));
    }
    const auto value = valueFrom(parameter, text);
    if (!value || !isAllowed(parameter, *value))
        return notAllowed(parameter, text);
    return *value;
}

std::string namesOf(const std::vector<Parameter>& parameters)
{
    std::string text;
    for (const Parameter& each : parameters) {
        if (!each.inName && !each.unnamed)
            text += (text.empty() ? "" : ", ") + each.name;
    }
    return text.empty() ? "it has none" : "it has " + text;
}

// One "name=value" behind a colon.
Status readAssignment(std::string_view assignment, const std::vector<Parameter>& parameters,
                      ParameterValues& values, std::vector<bool>& given)
{
    const auto equals = assignment.find('=');
    const bool named = equals != assignment.npos;
    const std::string_view key = assignment.substr(0, equals);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].inName || parameters[i].unnamed == named ||
            (named && parameters[i].name != key))
            continue;
        if (given[i])
            return Error{ErrorCode::InvalidArgument, parameters[i].name + " is given twice"};
        given[i] = true;
        QS_TRY(values[i], read(parameters[i], named ? assignment.substr(equals + 1) : assignment));
        return {};
    }
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("\"{}\" is not one of its parameters: {}", assignment.substr(0, 40),
                             namesOf(parameters))};
}

// What is nothing because something else is given.
void emptyReplaced(const std::vector<Parameter>& parameters, const std::vector<bool>& given,
                   ParameterValues& values)
{
    bool replaced = false;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        replaced = replaced || (given[i] && parameters[i].insteadOfUnnamed);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (replaced && parameters[i].unnamed && !given[i])
            values[i] = std::string();
    }
}

}  // namespace

ParameterValues fallbacks(const std::vector<Parameter>& parameters)
{
    ParameterValues values;
    for (const Parameter& each : parameters)
        values.push_back(each.fallback);
    return values;
}

std::string formatParameters(std::string_view name, const std::vector<Parameter>& parameters,
                             const ParameterValues& values)
{
    std::string head(name);
    std::string tail;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].inName)
            head += "-" + textOf(values[i]);
        else if (parameters[i].unnamed)
            head += (textOf(values[i]).empty() ? "" : ":") + textOf(values[i]);
        else if (values[i] != parameters[i].fallback)
            tail += ":" + parameters[i].name + "=" + textOf(values[i]);
    }
    return head + tail;
}

bool hasName(std::string_view text, std::string_view name, const std::vector<Parameter>& parameters)
{
    const std::string_view head = text.substr(0, text.find(':'));
    if (head == name)
        return true;
    return parameterInName(parameters) != nullptr && head.size() > name.size() + 1 &&
           head.starts_with(name) && head[name.size()] == '-';
}

Result<ParameterValues> parseParameters(std::string_view text, std::string_view name,
                                        const std::vector<Parameter>& parameters)
{
    QS_ASSERT(hasName(text, name, parameters));
    ParameterValues values = fallbacks(parameters);
    std::vector<bool> given(parameters.size(), false);
    const std::string_view head = text.substr(0, text.find(':'));
    if (head.size() > name.size()) {
        const Parameter* behind = parameterInName(parameters);
        const auto place = static_cast<std::size_t>(behind - parameters.data());
        QS_TRY(values[place], read(*behind, head.substr(name.size() + 1)));
    }
    std::string_view rest = text.substr(head.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);  // the colon
        const std::string_view assignment = rest.substr(0, rest.find(':'));
        QS_RETURN_IF_ERROR(readAssignment(assignment, parameters, values, given));
        rest.remove_prefix(assignment.size());
    }
    emptyReplaced(parameters, given, values);
    return values;
}

}  // namespace qs::core
