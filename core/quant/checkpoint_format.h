#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Quantized checkpoints]
// Described for users, tensor by tensor, in resources/help/16_checkpoints.md.
// quantscope         model.safetensors: each tensor as it lies in memory. A weight that is not
//                    quantized has its name, a quantized one its parts behind a colon:
//                    "m.weight:codes", "m.weight:scale"; what they mean is the scheme's row
//                    (core/quant/schemes). The metadata say "format" and "version" of the layout,
//                    the "content" id of what was quantized, and in "schemes" the scheme of each
//                    quantized weight.
// compressed-tensors model.safetensors and config.json as compressed-tensors has them in its format
//                    pack-quantized: int32 weight_packed with value + 8 (+ 128), the first column
//                    in the lowest bits; weight_scale, weight_shape, and weight_g_idx where groups
//                    are ordered. Of gptq-int4 and int8wo.
// torchao            model.safetensors with the names and the metadata of
//                    torchao.prototype.safetensors: Int8Tensor and Float8Tensor.
// pt2                one archive per stage, <stage>.pt2, of the operations that run; torch.export
//                    loads it.
// All of safetensors have the "architecture" as a model reference in their metadata, and whether it
// was "trained" (yes, no), so that core/model/quantized opens them as models whose outputs are, bit
// by bit, those of the model that was quantized. What a format cannot say of a scheme is refused.
// Models of several stages with weights of their own have the name of the stage before the names of
// its weights, "decoder." ; stages that share weights share their tensors.
enum class CheckpointFormat { QuantScope, CompressedTensors, TorchAo, ExportedProgram };

inline constexpr auto kCheckpointFormats =
    enumNames<CheckpointFormat>({{CheckpointFormat::QuantScope, "quantscope"},
                                 {CheckpointFormat::CompressedTensors, "compressed-tensors"},
                                 {CheckpointFormat::TorchAo, "torchao"},
                                 {CheckpointFormat::ExportedProgram, "pt2"}});

// Why the format cannot hold a layer, with the name of the layer; nothing if it can hold all.
[[nodiscard]] std::optional<std::string> formatObjection(CheckpointFormat format,
                                                         const std::vector<LayerRow>& layers);

// The same of the whole model: what could not be opened again.
[[nodiscard]] std::optional<std::string> modelObjection(CheckpointFormat format,
                                                        const Model& model);

// Texts of the metadata of a file, by key.
using CheckpointTexts = std::map<std::string, std::string>;
[[nodiscard]] CheckpointTexts quantScopeTexts(const Model& model,
                                              const std::vector<LayerRow>& layers);
[[nodiscard]] CheckpointTexts packedTexts(const Model& model);
// `names`: of all tensors that are not quantized.
[[nodiscard]] CheckpointTexts torchAoTexts(const Model& model, const std::vector<LayerRow>& layers,
                                           const std::vector<std::string>& names);
// config.json of compressed-tensors.
[[nodiscard]] Json compressedTensorsConfig(const ModelFamily& family,
                                           const std::vector<LayerRow>& layers);

}  // namespace qs::core
