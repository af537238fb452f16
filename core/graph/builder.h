#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Sticky errors]
// Writes a Graph operation by operation and infers each result's type by the rules of the
// catalogue. What does not fit (a graph may come from a file) is no broken contract: the first
// error is kept, everything written after it is ignored, and finish() returns it. Until then every
// value has a type of eight extents of 1 and lists have sixteen entries, so that code that builds a
// model reads on without asking after each operation.
class GraphBuilder final
{
public:
    [[nodiscard]] ValueId input(const std::string& name, TensorType type);
    // Asking for the same weight again gives the same value.
    [[nodiscard]] ValueId weight(const std::string& name, TensorType type);
    // The same for states, which begin as `initialValue` throughout.
    [[nodiscard]] ValueId state(const std::string& name, TensorType type,
                                double initialValue = 0.0);
    [[nodiscard]] ValueId constant(const std::string& name, TensorType type,
                                   std::vector<double> values);
    // Marks a result; later stages find it under `name`.
    void output(ValueId value, const std::string& name);

    [[nodiscard]] const TensorType& type(ValueId value) const;
    [[nodiscard]] const std::vector<std::int64_t>& shape(ValueId value) const;

    // y = x · weightᵀ + bias. x [.., in], weight [out, in], bias [out] or none (-1).
    [[nodiscard]] ValueId linear(ValueId x, ValueId weight, ValueId bias = -1);
    // q, k, v [B, H, N, D] -> [B, H, N, D]; softmax scale 1/sqrt(D).
    [[nodiscard]] ValueId attention(ValueId query, ValueId key, ValueId value);
    [[nodiscard]] ValueId layerNorm(ValueId x, std::vector<std::int64_t> normalizedShape,
                                    double epsilon);

    // abs, cos, reciprocal, relu, round, rsqrt, silu, sin, zeros_like …
    [[nodiscard]] ValueId unary(std::string_view operation, ValueId x);
    // add, sub, mul, div with broadcasting and PyTorch's type promotion.
    [[nodiscard]] ValueId binary(std::string_view operation, ValueId a, ValueId b);
    // add, mul, div with a number.
    [[nodiscard]] ValueId scalar(std::string_view operation, ValueId x, double number);
    [[nodiscard]] ValueId power(ValueId x, double exponent);
    // bitwise_and.Scalar, bitwise_right_shift.Tensor_Scalar of whole numbers.
    [[nodiscard]] ValueId bitwise(std::string_view operation, ValueId x, std::int64_t number);
    [[nodiscard]] ValueId clamp(ValueId x, double low, double high);
    [[nodiscard]] ValueId clampMin(ValueId x, double low);
    // where(condition, a, b); all of one shape after broadcasting.
    [[nodiscard]] ValueId where(ValueId condition, ValueId a, ValueId b);
    [[nodiscard]] ValueId equals(ValueId x, double number);
    // Reduce over the dimensions and keep them with extent 1; an empty list means all, giving a
    // scalar.
    [[nodiscard]] ValueId mean(ValueId x, std::vector<std::int64_t> dimensions);
    [[nodiscard]] ValueId absoluteMaximum(ValueId x, std::vector<std::int64_t> dimensions);
    [[nodiscard]] ValueId maximum(ValueId x, std::vector<std::int64_t> dimensions);
    [[nodiscard]] ValueId minimum(ValueId x, std::vector<std::int64_t> dimensions);

    [[nodiscard]] ValueId cast(ValueId x, DType dtype);
    [[nodiscard]] ValueId contiguous(ValueId x);
    [[nodiscard]] ValueId concatenate(const std::vector<ValueId>& parts, std::int64_t dimension);
    [[nodiscard]] ValueId stack(const std::vector<ValueId>& parts, std::int64_t dimension);
    // Zero rows below a matrix [M, K] -> [M + rows, K].
    [[nodiscard]] ValueId padRows(ValueId x, std::int64_t rows);

    // view needs compatible strides; reshape copies when they are not.
    [[nodiscard]] ValueId view(ValueId x, std::vector<std::int64_t> shape);
    [[nodiscard]] ValueId reshape(ValueId x, std::vector<std::int64_t> shape);
    [[nodiscard]] ValueId transpose(ValueId x, std::int64_t first, std::int64_t second);
    [[nodiscard]] ValueId matrixTranspose(ValueId x);
    [[nodiscard]] ValueId unsqueeze(ValueId x, std::int64_t dimension);
    [[nodiscard]] ValueId flatten(ValueId x, std::int64_t first, std::int64_t last);
    [[nodiscard]] ValueId select(ValueId x, std::int64_t dimension, std::int64_t index);
    [[nodiscard]] ValueId slice(ValueId x, std::int64_t dimension, std::int64_t begin,
                                std::int64_t end);
    [[nodiscard]] std::vector<ValueId> unbind(ValueId x, std::int64_t dimension);
    // Equal parts; an extent that `chunks` does not divide is an error.
    [[nodiscard]] std::vector<ValueId> chunk(ValueId x, std::int64_t chunks,
                                             std::int64_t dimension);

    // int8 [M, K] x int8 [K, N] -> int32 [M, N].
    [[nodiscard]] ValueId integerMatmul(ValueId a, ValueId b);
    // e4m3 [M, K] x e4m3 [K, N] (column-major) with float32 scales -> `output`.
    [[nodiscard]] ValueId scaledMatmul(ValueId a, ValueId b, ValueId scaleA, ValueId scaleB,
                                       ValueId bias, DType output, bool fastAccumulation);
    // In place: target += x.
    ValueId addInPlace(ValueId target, ValueId x);

    // Appends any operation of the catalogue. call1 is for those with one result.
    std::vector<ValueId> call(std::string_view operation, std::vector<NamedArgument> arguments);
    ValueId call1(std::string_view operation, std::vector<NamedArgument> arguments);

    // Operations so far.
    [[nodiscard]] std::size_t nodeCount() const { return m_graph.nodes.size(); }

    // What the caller knows to be wrong; kept as any other error.
    void fail(Error error);
    [[nodiscard]] bool failed() const { return m_error.has_value(); }

    // The graph or the first error; leaves an empty builder.
    [[nodiscard]] Result<Graph> finish();

private:
    friend class ModuleScope;

    ValueId add(const std::string& name, TensorType type, ValueKind kind);
    ValueId existing(const std::string& name, const TensorType& type, ValueKind kind);
    ValueId reduce(std::string_view operation, ValueId x, std::vector<std::int64_t> dimensions);

    Graph m_graph;
    std::string m_module;
    std::optional<Error> m_error;
};

// While it lives, new operations belong to `name` below the current module.
class ModuleScope final
{
public:
    ModuleScope(GraphBuilder& builder, std::string_view name);
    ~ModuleScope();
    ModuleScope(const ModuleScope&) = delete;
    ModuleScope& operator=(const ModuleScope&) = delete;

private:
    GraphBuilder& m_builder;
    std::size_t m_length;
};

}  // namespace qs::core
