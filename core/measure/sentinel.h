#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qs::core {

// Note [Sentinel]
// Memory figures come from three books that are kept by others: PyTorch's allocator (handed out,
// held) and the driver or the kernel (the process). Before any of them is shown, a block of known
// size is taken and given back, and each book must show it.

// The three books at one moment, in bytes. A CPU keeps the last one alone.
struct MemoryBooks {
    std::optional<std::int64_t> allocated;
    std::optional<std::int64_t> reserved;
    std::optional<std::int64_t> process;
};

// How large the block is: a gibibyte, or a tenth of what is free; whole allocator granules.
inline constexpr std::int64_t kSentinelBytes = std::int64_t{1} << 30U;
inline constexpr std::int64_t kAllocatorGranule = std::int64_t{2} << 20U;
inline constexpr std::int64_t kProcessTolerance = std::int64_t{4} << 20U;
// 0 if less than a granule would be left.
[[nodiscard]] std::int64_t sentinelBytes(std::int64_t freeBytes,
                                         std::int64_t most = kSentinelBytes);

// What is wrong with books that were read before a block of `bytes` was taken, while it was held
// and after it was given back; empty if all agree. Handed out must be exact, held within a granule,
// the process within 4 MiB, and all must come back to where they were.
[[nodiscard]] std::string sentinelObjection(const MemoryBooks& before, const MemoryBooks& held,
                                            const MemoryBooks& after, std::int64_t bytes);

}  // namespace qs::core
