#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qs::core {

// "2026-11-21T09:30:00Z", by the clock of the machine.
[[nodiscard]] std::string utcNow();

// Seconds since 1970 of a time as utcNow() writes it; nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> secondsFromUtc(std::string_view text);

}  // namespace qs::core
