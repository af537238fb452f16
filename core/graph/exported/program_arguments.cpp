#include "core/graph/exported/program_arguments.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"

#include <limits>

namespace qs::core::exported {

namespace {

Error damaged(std::string_view kind)
{
    return {ErrorCode::Format, "an argument " + excerpt(cleanLine(kind)) + " is damaged"};
}

std::optional<std::string> nameIn(const JsonView& json, std::string_view key = "name")
{
    const auto found = json.member(key);
    const auto words = found ? found->text() : std::nullopt;
    return words ? std::optional(cleanLine(*words)) : std::nullopt;
}

// What JSON has no number for stands there as a word.
std::optional<double> realNumber(const JsonView& json)
{
    if (const auto number = json.number())
        return number;
    const auto words = json.text();
    if (words == "Infinity")
        return std::numeric_limits<double>::infinity();
    if (words == "-Infinity")
        return -std::numeric_limits<double>::infinity();
    if (words == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

// A list of which each element is read by `read`, which gives nothing for what it does not know.
template <typename Element, typename Read>
Result<ProgramArgument> listOf(const JsonView& json, std::string_view kind, Read&& read)
{
    if (!json.isList())
        return damaged(kind);
    std::vector<Element> list;
    bool whole = true;
    json.forEachItem([&](const JsonView& item) {
        if (auto element = read(item))
            list.push_back(std::move(*element));
        else
            whole = false;
    });
    if (!whole)
        return damaged(kind);
    return ProgramArgument(std::move(list));
}

std::optional<Whole> wholeOrName(const JsonView& json)
{
    if (const auto number = json.member("as_int"))
        return number->wholeNumber() ? std::optional<Whole>(*number->wholeNumber()) : std::nullopt;
    const auto name = nameIn(json, "as_name");
    return name ? std::optional<Whole>(NumberName{*name}) : std::nullopt;
}

std::optional<std::string> tensorOrNone(const JsonView& json)
{
    if (json.member("as_none"))
        return std::string();
    const auto tensor = json.member("as_tensor");
    return tensor ? nameIn(*tensor) : std::nullopt;
}

template <typename Value>
Result<ProgramArgument> required(std::optional<Value> value, std::string_view kind)
{
    if (!value)
        return damaged(kind);
    return ProgramArgument(std::move(*value));
}

// A number or the name of one, as sym_int, sym_bool and sym_float are written.
Result<ProgramArgument> symbolic(const JsonView& json, std::string_view kind)
{
    if (const auto name = nameIn(json, "as_name"))
        return ProgramArgument(NumberName{*name});
    if (const auto number = json.member("as_int"))
        return required(number->wholeNumber(), kind);
    if (const auto flag = json.member("as_bool"))
        return required(flag->flag(), kind);
    if (const auto number = json.member("as_float"))
        return required(realNumber(*number), kind);
    return damaged(kind);
}

Result<ProgramArgument> listArgument(std::string_view kind, const JsonView& value)
{
    if (kind == "as_tensors")
        return listOf<std::string>(value, kind, [](const JsonView& item) { return nameIn(item); });
    if (kind == "as_optional_tensors")
        return listOf<std::string>(value, kind, tensorOrNone);
    if (kind == "as_ints")
        return listOf<std::int64_t>(value, kind,
                                    [](const JsonView& item) { return item.wholeNumber(); });
    if (kind == "as_floats")
        return listOf<double>(value, kind, realNumber);
    if (kind == "as_sym_ints")
        return listOf<Whole>(value, kind, wholeOrName);
    return ProgramArgument(ForeignArgument{cleanLine(kind)});
}

template <typename Number>
Result<ProgramArgument> enumeration(const JsonView& value, std::string_view kind)
{
    const auto number = value.wholeNumber();
    if (!number)
        return damaged(kind);
    return ProgramArgument(Number{*number});
}

Result<ProgramArgument> argumentOf(std::string_view kind, const JsonView& value,
                                   const GraphReader& graph)
{
    if (kind == "as_none")
        return ProgramArgument();
    if (kind == "as_tensor") {
        const auto name = nameIn(value);
        return name ? Result<ProgramArgument>(TensorName{*name}) : damaged(kind);
    }
    if (kind == "as_bool")
        return required(value.flag(), kind);
    if (kind == "as_int")
        return required(value.wholeNumber(), kind);
    if (kind == "as_float")
        return required(realNumber(value), kind);
    if (kind == "as_string") {
        const auto words = value.text();
        return words ? Result<ProgramArgument>(std::string(*words)) : damaged(kind);
    }
    if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float")
        return symbolic(value, kind);
    if (kind == "as_scalar_type")
        return enumeration<ScalarType>(value, kind);
    if (kind == "as_memory_format")
        return enumeration<MemoryFormat>(value, kind);
    if (kind == "as_device" || kind == "as_layout")
        return ProgramArgument(Placement{});
    if (kind == "as_optional_tensor") {
        const auto name = tensorOrNone(value);
        if (!name)
            return damaged(kind);
        return name->empty() ? ProgramArgument() : ProgramArgument(TensorName{*name});
    }
    if (kind == "as_graph" && graph) {
        const auto inner = value.member("graph");
        if (!inner)
            return damaged(kind);
        QS_TRY(ProgramGraph read, graph(*inner));
        return ProgramArgument(std::make_shared<const ProgramGraph>(std::move(read)));
    }
    return listArgument(kind, value);
}

}  // namespace

Result<ProgramArgument> parseArgument(const JsonView& json, const GraphReader& graph)
{
    if (!json.isObject() || json.size() != 1)
        return damaged("without a kind");
    Result<ProgramArgument> argument = ProgramArgument();
    json.forEachMember([&](std::string_view kind, const JsonView& value) {
        argument = argumentOf(kind, value, graph);
    });
    return argument;
}

Result<SizeExpression> parseSize(const JsonView& json)
{
    if (const auto number = json.member("as_int")) {
        if (const auto value = number->wholeNumber())
            return SizeExpression(*value);
        return damaged("as_int");
    }
    const auto expression = json.member("as_expr");
    const auto words = expression ? expression->member("expr_str") : std::nullopt;
    if (!words || !words->text())
        return damaged("as_expr");
    return SizeExpression::parse(*words->text());
}

}  // namespace qs::core::exported
