#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <string>
#include <string_view>

namespace qs::core {

// A member whose text is one of the names; `fallback` where it is absent. The complaint lists them.
template <typename Enum, std::size_t N>
[[nodiscard]] Enum readEnum(JsonFields& fields, std::string_view name,
                            const EnumNames<Enum, N>& names, Enum fallback)
{
    if (!fields.has(name))
        return fallback;
    const std::string text = fields.text(name);
    const auto value = names.find(text);
    if (!value)
        fields.complain(name, "expected one of " + names.list() + "; found \"" + text + "\"");
    return value.value_or(fallback);
}

// The same of a member that must be there.
template <typename Enum, std::size_t N>
[[nodiscard]] Enum requireEnum(JsonFields& fields, std::string_view name,
                               const EnumNames<Enum, N>& names, Enum fallback)
{
    return fields.requiredMember(name) == nullptr ? fallback
                                                  : readEnum(fields, name, names, fallback);
}

}  // namespace qs::core
