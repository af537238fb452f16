#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/kernel_shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// Note [Generated kernels]
// A group of operations that work element by element, look at tensors in another order, or reduce
// rows becomes one kernel in CUDA C++, written from its graph: each result is computed from what it
// needs at its place, through all views, with the rounding of every operation as PyTorch has it, so
// that only sums of rows may differ in their last bits. Threads share a row: each sum or maximum is
// a loop over the row, and what one loop has computed for its elements stays in registers for the
// next. Nothing in the text is particular to a device but the few functions of its prelude, so that
// tests compile it with the C++ compiler of the host.

struct KernelSource {
    std::string text;  // of the kernel, without the prelude
    std::string name;  // of what it does, as profiles show it: "qs_norm_quantize"
    KernelShape shape;
    std::vector<std::int64_t> pitches;  // elements from one row to the next, of each output
};

[[nodiscard]] InputStrides denseInputs(const Graph& group);

// The kernel reads the inputs of the group and then writes its outputs in their order.
// Their last axis is as long as `pitches` says, of which their own is the first part.
// `threads`: 0, or how many share a row. Unsupported where the group is not one pass over rows.
[[nodiscard]] Result<KernelSource> kernelSource(const Graph& group, const InputStrides& strides,
                                                Division division, int threads = 0);

// The same with fewer threads to a row as well, each with more of it, where rows are many and long:
// the threads have less to tell each other then, and which is the fastest depends on what is
// computed. The first is the one above. On an H200 rows of 2,048 that are normalized and quantized
// take as long as their instructions, a quarter of which joined the parts of rows.
[[nodiscard]] Result<std::vector<KernelSource>>
kernelSources(const Graph& group, const InputStrides& strides, Division division);

// After what the group does: "qs" and more.
[[nodiscard]] std::string namedAfter(const Graph& group, std::string name);

// What stands before the kernel: on a CUDA device, and the part of it that any C++ compiler takes.
[[nodiscard]] std::string cudaPrelude();
[[nodiscard]] std::string_view elementPrelude();

}  // namespace qs::core
