#include "core/quant/packed_size.h"

#include "core/quant/recipe.h"

#include <gtest/gtest.h>

#include <cmath>

namespace qs::core {
namespace {

// A decoder of Llama's kind as it is published in W4A16: the linear layers of its blocks are
// packed, all else stays in 16 bits.
struct PublishedModel {
    std::int64_t hidden;
    std::int64_t keyValue;  // features of the key and of the value projection
    std::int64_t ffn;
    std::int64_t blocks;
    std::int64_t parameters;

    [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> block() const
    {
        return {{hidden, hidden}, {keyValue, hidden}, {keyValue, hidden}, {hidden, hidden},
                {ffn, hidden},    {ffn, hidden},      {hidden, ffn}};
    }
    [[nodiscard]] std::int64_t packed() const
    {
        std::int64_t count = 0;
        for (const auto& [out, in] : block())
            count += out * in * blocks;
        return count;
    }
    [[nodiscard]] std::int64_t bytes() const
    {
        std::int64_t sum = 2 * (parameters - packed());
        for (const auto& [out, in] : block())
            sum += packedBytes(compressedTensorsW4A16(), out, in) * blocks;
        return sum;
    }
};

double mebibytes(std::int64_t bytes)
{
    return std::round(100.0 * static_cast<double>(bytes) / 1048576.0) / 100.0;
}

// The sizes of the two models that people publish; the formula must give them to the byte.
TEST(PackedSize, AgreesWithPublishedModels)
{
    const PublishedModel tinyLlama{2048, 256, 5632, 22, 1'100'048'384};
    EXPECT_EQ(tinyLlama.packed(), 968'884'224);
    EXPECT_EQ(tinyLlama.bytes(), 761'911'712);
    EXPECT_EQ(mebibytes(tinyLlama.bytes()), 726.62);
    const PublishedModel qwen{2048, 256, 11008, 36, 3'085'938'688};
    EXPECT_EQ(qwen.packed(), 2'774'532'096);
    EXPECT_EQ(qwen.bytes(), 2'053'435'328);
    EXPECT_EQ(mebibytes(qwen.bytes()), 1958.31);
}

TEST(PackedSize, FormulaOfEveryScheme)
{
    constexpr std::int64_t kOut = 48;
    constexpr std::int64_t kIn = 80;
    for (const Scheme scheme : allSchemes()) {
        SCOPED_TRACE(name(scheme));
        const auto format = packedFormat(scheme);
        ASSERT_EQ(format.has_value(), quantizesWeights(scheme));
        if (!format)
            continue;
        const std::int64_t scales = scheme == Scheme::Float8DqTensor ? 1 : kOut;
        EXPECT_EQ(packedBytes(*format, kOut, kIn), kOut * kIn + 4 * scales);
        EXPECT_EQ(storedBytes(scheme, kOut, kIn, false), packedBytes(*format, kOut, kIn));
        EXPECT_EQ(storedBytes(scheme, kOut, kIn, true),
                  packedBytes(*format, kOut, kIn) + kOut * byteSize(workingType(scheme)));
    }
    EXPECT_EQ(storedBytes(Scheme::Bf16, kOut, kIn, true), 2 * (kOut * kIn + kOut));
    EXPECT_EQ(storedBytes(Scheme::Bf16Autocast, kOut, kIn, false), 4 * kOut * kIn);
}

TEST(PackedSize, OddSizesAreRoundedUp)
{
    const PackedFormat four{.codeBits = 4, .groupSize = 32, .scaleBits = 16, .zeroPointBits = 4};
    // 33 codes of 4 bits take 17 bytes, in two groups.
    EXPECT_EQ(packedBytes(four, 1, 33), 17 + 2 * 2 + 1);
    EXPECT_EQ(packedBytes(four, 3, 33), 3 * 17 + 3 * 2 * 2 + 3);
    EXPECT_EQ(packedBytes(four, 2, 32), 2 * 16 + 2 * 2 + 1);
    EXPECT_EQ(packedBytes({.groupSize = PackedFormat::kWeight}, 7, 9), 63 + 4);
    EXPECT_EQ(packedBytes({}, 0, 9), 0);
}

}  // namespace
}  // namespace qs::core
