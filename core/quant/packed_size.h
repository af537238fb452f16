#pragma once

#include "core/quant/scheme.h"

#include <cstdint>
#include <optional>

namespace qs::core {

// How a weight [out, in] is stored in few bits: codes, with scales (and zero points) for groups of
// a row.
struct PackedFormat {
    // Of `groupSize`: one scale for a whole row, or for the whole weight.
    static constexpr std::int64_t kRow = 0;
    static constexpr std::int64_t kWeight = -1;

    int codeBits = 8;
    std::int64_t groupSize = kRow;  // weights of a row that share a scale
    int scaleBits = 32;
    int zeroPointBits = 0;            // 0: symmetric, none are stored
    std::int64_t bytesPerWeight = 0;  // beside codes and scales, such as its shape
};

// Of the schemes that quantize weights.
[[nodiscard]] std::optional<PackedFormat> packedFormat(Scheme scheme);

// compressed-tensors' "pack-quantized" W4A16 in groups of 128, as GPTQ models are published:
// float16 scales and the shape as two 64-bit numbers.
[[nodiscard]] PackedFormat compressedTensorsW4A16();

// Bytes of codes, scales and zero points of a weight [out, in]. Codes of a row begin on a byte, a
// group that is not full has a scale, too.
[[nodiscard]] std::int64_t packedBytes(const PackedFormat& format, std::int64_t out,
                                       std::int64_t in);

}  // namespace qs::core
