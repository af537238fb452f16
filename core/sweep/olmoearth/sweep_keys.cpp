#include "core/sweep/olmoearth/sweep_keys.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace qs::core::olmoearth {

namespace {

Json doubling(std::int64_t last)
{
    Json values = Json::array();
    for (std::int64_t value = 1; value <= last; value *= 2)
        values.push_back(value);
    return values;
}

}  // namespace

const std::vector<SweepKey>& sweepKeys()
{
    static const Json either = Json::array({true, false});
    static const std::vector<SweepKey> keys{
        {"batch", "batch_size", doubling(8192)},
        {"image", "image_size", doubling(128)},
        {"patch", "patch_size", doubling(8)},
        {"time", "num_timesteps", Json::array({1, 2, 4, 6, 8, 12})},
        {"use_s1", "use_s1", either},
        {"use_s2", "use_s2", either},
        {"use_landsat", "use_landsat", either},
        {"bf16", "bf16", either},
        {"model_size", "model_size", Json::array({"nano", "tiny", "base", "large"})},
        {"int8_enabled", "int8_enabled", either},
        {"int8_mode", "int8_mode", Json::array({"w8a8", "w8"})},
        {"int8_smoothquant", "int8_smoothquant", either},
        {"compile_mode", "compile_mode",
         Json::array({"default", "reduce-overhead", "max-autotune"})},
    };
    return keys;
}

}  // namespace qs::core::olmoearth
