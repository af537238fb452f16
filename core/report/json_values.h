#pragma once

#include "core/stats/interval.h"

#include <nlohmann/json.hpp>

#include <optional>

// For .cpp files: what may be missing, as JSON.
namespace qs::core {

template <typename Value>
[[nodiscard]] nlohmann::json orNull(const std::optional<Value>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json();
}

[[nodiscard]] inline nlohmann::json intervalJson(const std::optional<Interval>& interval)
{
    return interval ? nlohmann::json::array({interval->lower, interval->upper}) : nlohmann::json();
}

}  // namespace qs::core
