#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// How a kernel is spread over threads.
struct KernelShape {
    int threads = 0;  // that share a row
    int rowsPerBlock = 1;
    int width = 1;   // neighbouring elements that a thread takes at once
    int chunks = 1;  // times that it does so
    std::int64_t blocks = 0;

    // As a trial of several has it: "t32_r8", 32 threads to a row and eight rows to a block.
    [[nodiscard]] std::string name() const;
};

// How many parts cover a whole.
[[nodiscard]] constexpr std::int64_t coveredBy(std::int64_t whole, std::int64_t part)
{
    return (whole + part - 1) / part;
}
// The whole that they cover.
[[nodiscard]] constexpr std::int64_t roundedUp(std::int64_t whole, std::int64_t part)
{
    return coveredBy(whole, part) * part;
}

// Elements from one row to the next of what products read, a byte each: they are loaded 128 bytes
// at once, and unless rows begin at multiples of that, an H200 takes 118 µs instead of 69 for 2,736
// elements a row.
[[nodiscard]] constexpr std::int64_t linePitch(std::int64_t length)
{
    constexpr std::int64_t kLine = 128;
    return length > kLine ? (length + kLine - 1) / kLine * kLine : length;
}

// Strides of an input as it comes, in elements.
using InputStrides = std::vector<std::vector<std::int64_t>>;

}  // namespace qs::core
