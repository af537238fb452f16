#pragma once

#include "core/image/flip.h"
#include "core/image/ssim.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace qs::widgets {

// The map of two pictures, made when it is first asked for and kept. Any thread; one makes it,
// others wait for that. Meant for workers.
template <typename Made>
class LazyMap final
{
public:
    using Pictures = std::shared_ptr<const core::Picture>;
    using Make = std::function<core::Result<Made>(const core::Picture& picture,
                                                  const core::Picture& reference)>;

    LazyMap(Pictures picture, Pictures reference, Make make)
        : m_picture(std::move(picture)), m_reference(std::move(reference)), m_make(std::move(make))
    {
    }

    [[nodiscard]] const core::Result<Made>& get() const
    {
        std::call_once(m_once, [this] { m_made.emplace(m_make(*m_picture, *m_reference)); });
        return *m_made;
    }

private:
    Pictures m_picture;
    Pictures m_reference;
    Make m_make;
    mutable std::once_flag m_once;
    mutable std::optional<core::Result<Made>> m_made;
};

// FLIP takes several times as long as all other maps together, and most comparisons are looked at
// without it.
using FlipMap = LazyMap<core::FlipResult>;
[[nodiscard]] std::shared_ptr<const FlipMap> lazyFlip(FlipMap::Pictures picture,
                                                      FlipMap::Pictures reference);

// 1 - SSIM of values clamped to [0, 1]; mean and lowest are those of SSIM. Most comparisons are
// looked at in one variant alone.
using SsimMap = LazyMap<core::SsimResult>;
[[nodiscard]] std::shared_ptr<const SsimMap>
lazySsim(SsimMap::Pictures picture, SsimMap::Pictures reference, core::SsimVariant variant);

// 1 - value, at the same place.
[[nodiscard]] core::PixelMap oneMinus(core::PixelMap map);

}  // namespace qs::widgets
