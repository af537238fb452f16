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
    std::int64_t reach = 0;  // see reachOf
};

// Elements from the first to behind the last of the input that lies the widest: more than it has
// where it is part of something larger.
[[nodiscard]] std::int64_t reachOf(const Graph& group, const InputStrides& strides);

// What is read at once from an address, or, in rows, what is known of one.
struct KernelRead {
    std::string type;
    std::string name;
    std::string address;
    bool byRow = true;  // another in each row
};

// A loop over the elements of a row that a thread has.
struct KernelLoop {
    std::vector<KernelRead> reads;  // for all neighbours at once
    std::string heads;              // what is written at once
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
// From what is stored of an element to what is held, and back.
[[nodiscard]] std::string opened(const std::string& stored, DType type);
[[nodiscard]] std::string closed(const std::string& held, DType type);

// From one row of a result to the next: rows of a byte an element are what products read.
[[nodiscard]] std::int64_t rowPitch(const TensorType& type, const std::optional<Rows>& rows);
// The pointers that a kernel is given: inputs "x0" …, then outputs "y0" …
[[nodiscard]] std::string parametersOf(const KernelFrame& frame);
// The same as arguments of a call.
[[nodiscard]] std::string argumentsOf(const KernelFrame& frame);
// What follows a product, in four functions. Three read, well before there are sums: what is needed
// all along row r (`known`, computed before the loop), for neighbours from `first` on in every row,
// and for those in row r alone. The fourth takes their sums `acc`, of one half of the columns or
// two, and computes.
[[nodiscard]] std::string finishText(const KernelFrame& frame, const std::vector<KernelPart>& parts,
                                     const std::vector<KernelRead>& known);
// What makes weights, in three functions: two read what is known of row r, and of neighbours in it
// from `first` on; the third computes these, as pairs in their order.
[[nodiscard]] std::string weightText(const KernelFrame& frame, const KernelPart& part,
                                     const std::vector<KernelRead>& known);
// The type of indices, and constants of the group.
[[nodiscard]] std::string declarations(const KernelFrame& frame);
// `arrays`: declarations of what is kept from one loop to the next.
[[nodiscard]] std::string kernelText(const KernelFrame& frame, const std::vector<KernelPart>& parts,
                                     const std::string& arrays);

}  // namespace qs::core
