#pragma once

#include "core/protocol/messages.h"

#include <vector>

namespace qs::core {

// Members of each message as JSON, without "type".
[[nodiscard]] Json fieldsOf(const Message& message);

// The message of this type from its members; complaints about members go to `fields`. Nothing if
// the type is unknown.
[[nodiscard]] std::optional<Message> messageFromFields(std::string_view type, JsonFields& fields);

}  // namespace qs::core
