#pragma once

#include "core/graph/graph_uses.h"
#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/kernel_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace qs::core {

// What is multiplied: whole numbers add up to int32, others to float32.
enum class ProductType { Int8, Float8, BFloat16, Float16 };
[[nodiscard]] std::int64_t elementBytes(ProductType type);

// A matrix that a product reads: an input of the group, in rows along which it adds up.
struct ProductOperand {
    std::size_t input = 0;
    std::int64_t rows = 0;
    std::int64_t pitch = 0;  // elements from one row to the next
};

// A product m × n of rows of `a` with rows of `b`, each of k elements.
struct MatrixProduct {
    std::size_t node = 0;
    ProductType type = ProductType::Int8;
    ProductOperand a;
    ProductOperand b;
    std::int64_t k = 0;
    int halves = 1;  // of its columns that one element of the group's result is made of

    [[nodiscard]] std::int64_t columns() const { return b.rows / halves; }  // of that result
    [[nodiscard]] std::int64_t rowBytes() const { return k * elementBytes(type); }
};

// A product as an operation says it: m rows of `a`, in any shape, with n rows of `b`, or its
// columns.
struct ProductCall {
    ProductType type;
    ValueId a;
    ValueId b;
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
    bool rowsOfB;
};
// Nothing for other operations.
[[nodiscard]] std::optional<ProductCall> productCall(const Graph& graph, const Node& node);
// The first operand of a call: nothing where its rows do not lie in an input as kernels read them.
[[nodiscard]] std::optional<ProductOperand>
firstOperand(const GraphUses& uses, const InputStrides& strides, const ProductCall& call);

// Rows that stand below the first operand for the sake of a library: what is made of them is cut
// off. Kernels read the rows before.
struct RowPadding {
    ValueId rows = -1;      // without them
    std::size_t node = 0;   // that adds them
    std::size_t slice = 0;  // that cuts them off: the product has no other reader
};
[[nodiscard]] std::optional<RowPadding> paddingOf(const GraphUses& uses, std::size_t product);

// Columns of a product that a thread finishes at once; those of a result are a multiple of it.
inline constexpr std::int64_t kFinishedAtOnce = 8;
// Rows of operands begin at a multiple of so many.
inline constexpr std::int64_t kPitchBytes = 16;
// Whether it has elements, and dense rows of it begin where kernels read them.
[[nodiscard]] bool hasElements(const ProductCall& call);
[[nodiscard]] bool hasWholeRows(const ProductCall& call);
[[nodiscard]] bool hasWholeColumns(const ProductCall& call);

// Whether a kernel of ours may compute the operation.
[[nodiscard]] bool multipliesMatrices(const Graph& group, const Node& node);
// The product of a group, as a kernel of ours reads it; nothing if it has none, or one whose
// operands lie in another way.
[[nodiscard]] std::optional<MatrixProduct> matrixProduct(const Graph& group,
                                                         const InputStrides& strides);

// Columns of a product that one element of the group's result is made of: one or two; 0: neither.
[[nodiscard]] int halvesOf(const MatrixProduct& product, const Graph& group);

// Note [Products in kernels]
// Units of a GPU multiply tiles in shared memory and leave the sums in registers (product_units.h).
// What follows a product element by element, at the same place, is computed there: scales, bias,
// residual. A group ends where its result takes the fewest bytes. Gates make one element of two,
// half a row apart: a tile then has columns of both halves. Whatever the units are, a thread has
// the same sums of a tile's columns, and what follows them is the same text.

}  // namespace qs::core
