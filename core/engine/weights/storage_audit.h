#pragma once

#include "core/engine/weights/weight_loader.h"
#include "core/measure/storage_report.h"
#include "core/quant/recipe.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// What one weight takes, of one or more tensors (codes and scale).
struct AuditedWeight {
    std::string name;  // "decoder/decoder_blocks.3.ffn.fc1.weight"
    core::Scheme scheme = core::namedScheme("bf16");
    std::int64_t logicalBytes = 0;                           // as its scheme has it, rows padded
    std::int64_t storageBytes = 0;                           // of the storages of its tensors
    std::optional<core::StorageFault> fault = std::nullopt;  // the first that was found
    std::string other = {};                                  // see StorageFault
    std::int64_t ownBytes = 0;
};

// Every weight of the stages, those that several of them share once, then every tensor that belongs
// to none: what a view, an expanded tensor, a wider type or a copy that was left behind would hide
// from a sum of elements. Reads sizes alone; nothing runs on the device.
[[nodiscard]] std::vector<AuditedWeight> auditStorage(const core::ModelFamily& family,
                                                      const core::Recipe& recipe,
                                                      const std::vector<StageWeights>& stages);

// Its totals, with the size of the files that the weights came from.
[[nodiscard]] core::StorageReport reportStorage(const core::Model& model,
                                                const core::Recipe& recipe,
                                                const std::vector<StageWeights>& stages);

// Every tensor of the stages that is large or part of a larger storage, those that stages share
// once.
[[nodiscard]] std::vector<core::LargeTensor> largeTensors(const core::ModelFamily& family,
                                                          const std::vector<StageWeights>& stages);

}  // namespace qs::engine
