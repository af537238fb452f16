#pragma once

#include "core/base/result.h"
#include "core/engine/execute/executor.h"
#include "core/graph/graph.h"

#include <c10/core/Device.h>

#include <cstdint>

namespace qs::engine {

// Weights as kernels of a device read them, by name: what EagerStage::layouts makes of `weights`.
[[nodiscard]] core::Result<NamedTensors>
makeLayouts(const core::Graph& layouts, const NamedTensors& weights, c10::Device device);

// What they take, which is more than their elements do.
[[nodiscard]] std::int64_t layoutBytesOf(const NamedTensors& layouts);

}  // namespace qs::engine
