#include "core/quant/packed_size.h"

namespace qs::core {

namespace {

constexpr std::int64_t kBitsPerByte = 8;

std::int64_t roundedUp(std::int64_t number, std::int64_t unit)
{
    return (number + unit - 1) / unit;
}

}  // namespace

std::optional<PackedFormat> packedFormat(Scheme scheme)
{
    switch (scheme) {
    case Scheme::Int8Dq:
    case Scheme::Int8Wo:
    case Scheme::Float8DqRow:
    case Scheme::Float8Wo:
        return PackedFormat{};
    case Scheme::Float8DqTensor:
        return PackedFormat{.groupSize = PackedFormat::kWeight};
    default:
        return std::nullopt;
    }
}

PackedFormat compressedTensorsW4A16()
{
    return {.codeBits = 4, .groupSize = 128, .scaleBits = 16, .bytesPerWeight = 16};
}

std::int64_t packedBytes(const PackedFormat& format, std::int64_t out, std::int64_t in)
{
    std::int64_t groups = out;
    if (format.groupSize == PackedFormat::kWeight)
        groups = 1;
    else if (format.groupSize > 0)
        groups = out * roundedUp(in, format.groupSize);
    return out * roundedUp(in * format.codeBits, kBitsPerByte) +
           roundedUp(groups * format.scaleBits, kBitsPerByte) +
           roundedUp(groups * format.zeroPointBits, kBitsPerByte) + format.bytesPerWeight;
}

}  // namespace qs::core
