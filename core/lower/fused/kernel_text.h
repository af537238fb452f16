#pragma once

#include "core/graph/graph.h"
#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/row_operations.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What a kernel is about: a group, as rows or, without them, as `length` elements.
struct KernelFrame {
    const Graph& group;
    KernelShape shape;
    std::optional<Rows> rows;
    std::int64_t length = 0;  // of a row, or of all
    std::string name;
};

// A loop over the elements of a row that a thread has.
struct KernelLoop {
    std::string heads;  // what is read for all neighbours at once
    std::string body;
    std::string keeps;  // at the end of the body
    std::string tails;  // what is written at once
};

// What stands before a loop, and the loop; none at the end.
struct KernelPart {
    std::string before;
    const KernelLoop* loop = nullptr;
};

// Whether a thread has so few elements of a row that it may keep what it has computed of them.
[[nodiscard]] bool keepsElements(const KernelShape& shape);
// In C, what tensors of a type consist of.
[[nodiscard]] std::string_view storedType(DType type);

// `arrays`: declarations of what is kept from one loop to the next.
[[nodiscard]] std::string kernelText(const KernelFrame& frame, const std::vector<KernelPart>& parts,
                                     const std::string& arrays);

}  // namespace qs::core
