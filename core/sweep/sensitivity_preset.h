#pragma once

#include "core/base/enum_names.h"
#include "core/model/model.h"
#include "core/sweep/preset.h"

namespace qs::core {

// What is quantized alone in a sweep for sensitivity.
enum class SensitivityUnit { Layer, Block };

inline constexpr auto kSensitivityUnits = enumNames<SensitivityUnit>(
    {{SensitivityUnit::Layer, "layer"}, {SensitivityUnit::Block, "block"}});

// The preset with a layer filter for each layer of the blocks that its precision quantizes, or for
// each block, alone: "only:decoder_blocks.3.ffn.fc1"; and one for all of them. The precision is
// that of the first cell of the preset that is quantized. An error if it quantizes nothing.
[[nodiscard]] Result<Preset> sensitivityPreset(const Preset& preset, const ModelFamily& family,
                                               SensitivityUnit unit);

}  // namespace qs::core
