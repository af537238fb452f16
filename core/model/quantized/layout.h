#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/model/safetensors/safetensors.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What a layout says of the weights of a file; see Note [Quantized checkpoints] in
// core/quant/checkpoint_format.h.
namespace qs::core::quantized {

// A weight that is stored quantized.
struct QuantizedWeight {
    std::string scheme;                         // its text
    std::vector<std::int64_t> shape = {};       // [out, in]; empty where the layout does not say
    std::map<std::string, StoredWeight> parts;  // "codes"
};

// By the names of weights in the file, with the prefixes of their stages.
using QuantizedWeights = std::map<std::string, QuantizedWeight>;

// Keys of the metadata that every layout has beside its own, so that what was written can be opened
// as a model.
inline constexpr const char* kArchitectureKey = "architecture";
inline constexpr const char* kTrainedKey = "trained";

[[nodiscard]] std::string textOf(const SafetensorsFile& file, const std::string& key);
// Format: what is wrong with the file, or with one tensor of it, and what to do.
[[nodiscard]] Error refuse(const SafetensorsFile& file, const std::string& why);

// What a tensor has to be; 0 stands for any extent.
struct Expected {
    std::vector<StoredType> types;
    std::vector<std::uint64_t> shape;
};
// Null and an error that names the tensor if it is missing or not what is expected.
[[nodiscard]] Result<const TensorEntry*> require(const SafetensorsFile& file,
                                                 const std::string& name, const Expected& expected);
// Of scales: F32, F16 or BF16.
[[nodiscard]] const std::vector<StoredType>& floatTypes();
// "", ":rest=fp16" or ":rest=fp32": what the rest of a model runs in whose scales have that type.
[[nodiscard]] std::string restOption(StoredType type);

}  // namespace qs::core::quantized
