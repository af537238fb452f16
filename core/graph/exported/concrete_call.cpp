#include "core/graph/exported/concretizer.h"

#include <algorithm>

namespace qs::core::exported {

const Argument* ConcreteCall::find(std::string_view name) const
{
    for (const NamedArgument& each : arguments) {
        if (each.name == name)
            return &each.value;
    }
    return nullptr;
}

ValueId ConcreteCall::tensor(std::string_view name) const
{
    const Argument* found = find(name);
    const auto* ref = found == nullptr ? nullptr : std::get_if<ValueRef>(found);
    return ref == nullptr ? -1 : ref->id;
}

std::optional<Number> ConcreteCall::number(std::string_view name) const
{
    const Argument* found = find(name);
    if (found == nullptr)
        return std::nullopt;
    if (const auto* flag = std::get_if<bool>(found))
        return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(found))
        return *whole;
    if (const auto* real = std::get_if<double>(found))
        return *real;
    return std::nullopt;
}

std::int64_t ConcreteCall::whole(std::string_view name, std::int64_t fallback) const
{
    const Argument* found = find(name);
    const auto* number = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
    return number == nullptr ? fallback : *number;
}

bool ConcreteCall::flag(std::string_view name) const
{
    const auto found = number(name);
    return found && isTrue(*found);
}

std::vector<std::int64_t> ConcreteCall::list(std::string_view name) const
{
    const Argument* found = find(name);
    if (found == nullptr)
        return {};
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(found))
        return *list;
    if (const auto* number = std::get_if<std::int64_t>(found))
        return {*number};
    return {};
}

void ConcreteCall::remove(std::string_view name)
{
    std::erase_if(arguments, [&](const NamedArgument& each) { return each.name == name; });
}

void ConcreteCall::set(std::string_view name, Argument value)
{
    remove(name);
    arguments.push_back({std::string(name), std::move(value)});
}

}  // namespace qs::core::exported
