#pragma once

#include "core/base/result.h"

#include <stop_token>

namespace qs::core {

// Long work takes a std::stop_token and looks at it several times a second; what it has then is
// thrown away. Cancelled once a stop was asked for.
[[nodiscard]] inline Status checkNotStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped"};
    return {};
}

}  // namespace qs::core
