#pragma once

#include "core/base/result.h"
#include "core/device/description.h"
#include "core/graph/graph.h"

namespace qs::core {

// Convolutions are the library's; what is theirs to choose is made so that it serves them. On a GPU
// - PyTorch adds a bias in a launch of its own, with the rounding of one: so it is an operation of
//   its own, which may become part of the kernel behind it;
// - the library has fast kernels for convolutions of each channel alone, in 16 bits, where channels
//   lie next to each other: what they read is made in that order, and all that is made of it
//   follows. On an H200 a convolution of 7 x 7 of ConvNeXt takes 41 µs then, and 137 otherwise.
[[nodiscard]] Result<Graph> inChannelOrder(const Graph& graph, const DeviceDescription& device);

}  // namespace qs::core
