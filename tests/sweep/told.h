#pragma once

#include "core/base/note.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <variant>

namespace qs::core {

// A reason as tests compare it: its code and its arguments, "needs_cuda: CUDA graphs, cpu"; empty
// for none.
inline std::string told(const std::optional<Note>& reason)
{
    if (!reason)
        return {};
    std::string text(kNoteCodes.of(reason->code));
    for (std::size_t i = 0; i < reason->arguments.size(); ++i)
        text += std::visit(
            [&](const auto& value) { return fmt::format("{} {}", i == 0 ? ":" : ",", value); },
            reason->arguments[i]);
    return text;
}

}  // namespace qs::core
