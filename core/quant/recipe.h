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
    Scheme scheme = namedScheme("bf16");
    LayerFilter filter;
};

// One entry per stage of the model.
using Recipe = std::vector<StageRecipe>;

// One name for all stages, or one per stage; the same of `layers`, see parseLayerFilters().
[[nodiscard]] Result<Recipe> makeRecipe(const ModelFamily& family,
                                        const std::vector<std::string>& schemes,
                                        const std::string& layers);

// What happens to one layer.
struct LayerRow {
    std::size_t stage = 0;
    std::string module;
    std::string weight;  // name of its weight
    LayerKind kind = LayerKind::Linear;
    std::vector<std::int64_t> weightShape;
    std::int64_t inFeatures = 0;  // of a convolution with its kernel
    std::int64_t outFeatures = 0;
    std::int64_t calls = 1;  // in one run of the stage
    // Its weight stays beside what is stored instead: an embedding reads it, too.
    bool keepsWeight = false;
    bool matched = false;
    Scheme scheme = namedScheme("bf16");  // what it runs in
    std::string reason;                   // why it is skipped; empty if matched
    std::int64_t parameters = 0;          // with bias
    std::int64_t bytesBefore = 0;         // in the working type
    std::int64_t bytesAfter = 0;          // as stored under the scheme

    [[nodiscard]] bool quantized() const { return matched && quantizesWeights(scheme); }
};

// Why a scheme leaves layers of this kind alone; nothing if it does not.
[[nodiscard]] std::optional<std::string> kindObjection(const Scheme& scheme, LayerKind kind);

// Why a scheme cannot take a layer of these features, on any device; nothing if it can.
[[nodiscard]] std::optional<std::string> sizeObjection(const Scheme& scheme, std::int64_t in,
                                                       std::int64_t out);

// All layers of all stages in order of execution.
[[nodiscard]] std::vector<LayerRow> layerTable(const ModelFamily& family, const Recipe& recipe);

// All weights of all stages as they lie in memory under the recipe: those that stages share lie
// there once, where both want them in the same form.
[[nodiscard]] std::int64_t residentWeightBytes(const ModelFamily& family, const Recipe& recipe);

}  // namespace qs::core
