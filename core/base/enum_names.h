#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::core {

// The names of an enum as they stand in files, on the command line and in lists: the one way from
// value to text and back. Every value has one; a value that is missing is a broken contract.
template <typename Enum, std::size_t N>
class EnumNames final
{
public:
    constexpr explicit EnumNames(const std::array<std::pair<Enum, std::string_view>, N>& names)
        : m_names(names)
    {
    }

    [[nodiscard]] static constexpr std::size_t size() { return N; }

    [[nodiscard]] constexpr std::string_view of(Enum value) const
    {
        for (const auto& [each, name] : m_names) {
            if (each == value)
                return name;
        }
        QS_ASSERT(false);
        return {};
    }

    [[nodiscard]] constexpr std::optional<Enum> find(std::string_view text) const
    {
        for (const auto& [value, name] : m_names) {
            if (name == text)
                return value;
        }
        return std::nullopt;
    }

    // The error says what it should be, "attention kernel", and lists the names.
    [[nodiscard]] Result<Enum> parse(std::string_view text, const std::string& noun) const
    {
        if (const auto value = find(text))
            return *value;
        return Error{ErrorCode::InvalidArgument, "unknown " + noun + " \"" +
                                                     std::string(text.substr(0, 80)) +
                                                     "\"; known are " + list()};
    }

    [[nodiscard]] std::vector<Enum> values() const
    {
        std::vector<Enum> all;
        for (const auto& [value, name] : m_names)
            all.push_back(value);
        return all;
    }

    // "auto, math, flash"
    [[nodiscard]] std::string list() const
    {
        std::string text;
        for (const auto& [value, name] : m_names)
            text += (text.empty() ? "" : ", ") + std::string(name);
        return text;
    }

private:
    std::array<std::pair<Enum, std::string_view>, N> m_names;
};

template <typename Enum, std::size_t N>
constexpr EnumNames<Enum, N> enumNames(const std::pair<Enum, std::string_view> (&names)[N])
{
    return EnumNames<Enum, N>(std::to_array(names));
}

}  // namespace qs::core
