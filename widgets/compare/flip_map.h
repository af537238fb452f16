#pragma once

#include "core/image/flip.h"

#include <memory>
#include <mutex>
#include <optional>

namespace qs::widgets {

// The FLIP map of two pictures, made when it is first asked for and kept: it takes several times as
// long as all other maps together, and most comparisons are looked at without it. Any thread; one
// makes it, others wait for that. Meant for workers.
class FlipMap final
{
public:
    FlipMap(std::shared_ptr<const core::Picture> picture,
            std::shared_ptr<const core::Picture> reference);

    [[nodiscard]] const core::Result<core::FlipResult>& get() const;

private:
    std::shared_ptr<const core::Picture> m_picture;
    std::shared_ptr<const core::Picture> m_reference;
    mutable std::once_flag m_once;
    mutable std::optional<core::Result<core::FlipResult>> m_result;
};

}  // namespace qs::widgets
