#pragma once

#include "core/base/enum_names.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace qs::core {

// What QuantScope keeps to be quicker the next time. Each kind has a folder of its own.
enum class CacheKind { Inputs, Calibration, Packages, Kernels };
inline constexpr auto kCacheKinds = enumNames<CacheKind>({{CacheKind::Inputs, "inputs"},
                                                          {CacheKind::Calibration, "calibration"},
                                                          {CacheKind::Packages, "packages"},
                                                          {CacheKind::Kernels, "kernels"}});

struct CacheContents {
    CacheKind kind = CacheKind::Inputs;
    std::filesystem::path folder;
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
    std::size_t remaining = 0;  // after clearing: files that could not be removed
};

// Of all kinds below the folder of all caches. Links and folders do not count.
[[nodiscard]] std::vector<CacheContents> cacheContents(const std::filesystem::path& caches);
// Removes what counts; says what there was. A run that goes on makes anew what it needs.
[[nodiscard]] CacheContents clearCache(const std::filesystem::path& caches, CacheKind kind);

}  // namespace qs::core
