#include "core/model/generated_weights.h"

#include <cmath>

namespace qs::core {

namespace {

std::uint64_t mix(std::uint64_t value)
{
    value = (value ^ (value >> 30U)) * kGeneratorMix1;
    value = (value ^ (value >> 27U)) * kGeneratorMix2;
    return value ^ (value >> 31U);
}

}  // namespace

std::uint64_t generatorKey(std::int64_t seed, std::string_view name)
{
    // FNV-1a over the name, started from the mixed seed.
    std::uint64_t hash = 0xcbf29ce484222325U ^ mix(static_cast<std::uint64_t>(seed));
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return mix(hash);
}

float generatorFactor(double scale)
{
    return static_cast<float>(scale / std::sqrt(4.0 * (65536.0 * 65536.0 - 1.0) / 12.0));
}

std::uint64_t generatorHash(std::uint64_t key, std::uint64_t index)
{
    return mix(key + (index + 1) * kGeneratorStep);
}

void generate(std::uint64_t key, float factor, std::uint64_t first, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint64_t hash = generatorHash(key, first + i);
        const std::uint64_t sum = (hash & 0xffffU) + ((hash >> 16U) & 0xffffU) +
                                  ((hash >> 32U) & 0xffffU) + (hash >> 48U);
        out[i] = static_cast<float>(static_cast<std::int64_t>(sum) - kGeneratorMean) * factor;
    }
}

}  // namespace qs::core
