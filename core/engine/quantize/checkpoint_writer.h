#pragma once

#include "core/base/file_place.h"
#include "core/device/description.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"
#include "core/model/model.h"
#include "core/model/safetensors/safetensors_writer.h"
#include "core/quant/checkpoint_format.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace qs::engine {

// A model with its weights as they were quantized; all of it outlives the writing.
struct QuantizedModel {
    const core::Model& model;
    const core::Program& program;
    const std::vector<StageWeights>& weights;
    const core::DeviceDescription& device;
};

struct WrittenFile {
    std::string name;
    std::uint64_t fileBytes = 0;
    std::uint64_t tensorBytes = 0;  // of that, of tensors; 0: it has none
};

// Gives the place of a file by its name; an existing one is replaced.
using CheckpointPlaces = std::function<core::FilePlace(const std::string& name)>;

// See Note [Quantized checkpoints]. Unsupported, naming the layer, if the format cannot hold all of
// them; nothing is written then. One tensor at a time comes to the host.
[[nodiscard]] core::Result<std::vector<WrittenFile>>
writeCheckpoint(const QuantizedModel& quantized, core::CheckpointFormat format,
                const CheckpointPlaces& places);

// What the archive of a stage is called.
[[nodiscard]] std::string programFile(const core::StageProgram& stage);

// The bytes of its file of weights alone, for a format that has one.
[[nodiscard]] core::Result<core::SafetensorsSize> streamCheckpoint(const QuantizedModel& quantized,
                                                                   core::CheckpointFormat format,
                                                                   const core::TextSink& sink);

}  // namespace qs::engine
