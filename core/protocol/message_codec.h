#pragma once

#include "core/protocol/messages.h"

#include <string>
#include <string_view>

namespace qs::core {

// The payload of a frame. InvalidArgument for what would not read back equal: NaN and infinity,
// text that is not UTF-8, values out of range, more than 16 MiB.
[[nodiscard]] Result<std::string> encodeMessage(const Message& message);
// Format errors name the message and the member; a Hello of another protocol version is Unsupported
// and names both.
[[nodiscard]] Result<Message> decodeMessage(std::string_view payload);

}  // namespace qs::core
