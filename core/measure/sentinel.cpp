#include "core/measure/sentinel.h"

#include "core/base/format.h"

#include <algorithm>
#include <cstdlib>

namespace qs::core {

namespace {

// One of the books with how far it may be off.
struct Book {
    const char* name;
    std::optional<std::int64_t> MemoryBooks::*figure;
    std::int64_t tolerance;  // bytes, while the block is held
    std::int64_t remainder;  // bytes that may stay when it is gone
};

constexpr Book kBooks[] = {
    {"allocated", &MemoryBooks::allocated, 0, 0},
    {"reserved", &MemoryBooks::reserved, kAllocatorGranule, 0},
    {"process", &MemoryBooks::process, kProcessTolerance, kProcessTolerance},
};

std::string text(std::int64_t bytes)
{
    return (bytes < 0 ? "-" : "") + formatBytes(static_cast<double>(std::abs(bytes)));
}

}  // namespace

std::int64_t sentinelBytes(std::int64_t freeBytes, std::int64_t most)
{
    const std::int64_t wanted = std::min(most, freeBytes / 10);
    return std::max<std::int64_t>(0, wanted / kAllocatorGranule * kAllocatorGranule);
}

std::string sentinelObjection(const MemoryBooks& before, const MemoryBooks& held,
                              const MemoryBooks& after, std::int64_t bytes)
{
    for (const Book& book : kBooks) {
        const auto& start = before.*book.figure;
        const auto& middle = held.*book.figure;
        const auto& end = after.*book.figure;
        if (!start)
            continue;
        if (!middle || !end)
            return std::string(book.name) + " memory could not be read again";
        const std::int64_t rise = *middle - *start;
        if (std::abs(rise - bytes) > book.tolerance)
            return "a block of " + text(bytes) + " made " + book.name + " memory rise by " +
                   text(rise);
        if (std::abs(*end - *start) > book.remainder)
            return std::string(book.name) + " memory was " + text(*end - *start) +
                   " off after a block of " + text(bytes) + " had been given back";
    }
    return {};
}

}  // namespace qs::core
