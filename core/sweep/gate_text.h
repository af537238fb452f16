#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>

// What the readers of axes and expectations share; nobody else includes it.
namespace qs::core::gate_text {

inline std::string quoted(std::string_view text)
{
    return "\"" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "…\"" : "\"");
}

inline Error refuse(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

}  // namespace qs::core::gate_text
