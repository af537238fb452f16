#pragma once

#include "core/model/model.h"
#include "core/quant/layer_filter.h"
#include "core/quant/scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What one stage is asked to run in.
struct StageRecipe {
    Scheme scheme = Scheme::Bf16;
    LayerFilter filter;
};

// One entry per stage of the model.
using Recipe = std::vector<StageRecipe>;

// One name for all stages, or one per stage; `layers` is the text of a LayerFilter.
[[nodiscard]] Result<Recipe> makeRecipe(const ModelFamily& family,
                                        const std::vector<std::string>& schemes,
                                        const std::string& layers);

// Type of activations and of weights outside the matched layers.
[[nodiscard]] DType workingType(Scheme scheme);

// What happens to one linear layer.
struct LayerRow {
    std::size_t stage = 0;
    std::string module;
    std::int64_t inFeatures = 0;
    std::int64_t outFeatures = 0;
    bool matched = false;
    Scheme scheme = Scheme::Bf16; // what it runs in
    std::string reason;           // why it is skipped; empty if matched
    std::int64_t parameters = 0;  // with bias
    std::int64_t bytesBefore = 0; // in the working type
    std::int64_t bytesAfter = 0;  // as stored under the scheme

    [[nodiscard]] bool quantized() const { return matched && quantizesWeights(scheme); }
};

// Why the 8-bit matrix products of a scheme cannot take these sizes, on any device; nothing if they
// can.
[[nodiscard]] std::optional<std::string> sizeObjection(Scheme scheme, std::int64_t in,
                                                       std::int64_t out);

// All linear layers of all stages in order of execution.
[[nodiscard]] std::vector<LayerRow> layerTable(const ModelFamily& family, const Recipe& recipe);

// Bytes of a weight [out, in] with optional bias under a scheme: codes and scales as packedFormat()
// says, the bias in the working type.
[[nodiscard]] std::int64_t storedBytes(Scheme scheme, std::int64_t out, std::int64_t in, bool bias);

// All weights of all stages as they lie in memory under the recipe.
[[nodiscard]] std::int64_t residentWeightBytes(const ModelFamily& family, const Recipe& recipe);

} // namespace qs::core
