#pragma once

#include "core/image/ssim.h"

#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace qs::widgets {

// 1 - SSIM of two pictures in each of the variants, made when it is first asked for and kept: most
// comparisons are looked at in one variant alone. Any thread; one makes a map, others wait for
// that. Meant for workers.
class SsimMaps final
{
public:
    SsimMaps(std::shared_ptr<const core::Picture> picture,
             std::shared_ptr<const core::Picture> reference);

    // Of values clamped to [0, 1]. The map holds 1 - SSIM, mean and lowest are those of SSIM.
    [[nodiscard]] const core::Result<core::SsimResult>& get(core::SsimVariant variant) const;

private:
    struct Entry {
        std::once_flag once;
        std::optional<core::Result<core::SsimResult>> result;
    };

    std::shared_ptr<const core::Picture> m_picture;
    std::shared_ptr<const core::Picture> m_reference;
    mutable std::array<Entry, core::kSsimVariants.size()> m_entries;  // in their order
};

// 1 - value, at the same place.
[[nodiscard]] core::PixelMap oneMinus(core::PixelMap map);

}  // namespace qs::widgets
