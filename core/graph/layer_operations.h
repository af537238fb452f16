#pragma once

#include "core/graph/builder.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The operations that layers of vision and language models are made of, written as PyTorch's
// torch.nn.functional names them.
namespace qs::core {

struct Convolution {
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t dilation = 1;
    std::int64_t groups = 1;
};
// x [N, C, H, W], weight [out, C / groups, kh, kw], bias [out] or none (-1).
[[nodiscard]] ValueId conv2d(GraphBuilder& builder, ValueId x, ValueId weight, ValueId bias,
                             const Convolution& options);

// With statistics and factors of the channels as they were learned.
struct BatchNormWeights {
    ValueId weight, bias, mean, variance;
};
[[nodiscard]] ValueId batchNorm(GraphBuilder& builder, ValueId x, const BatchNormWeights& weights,
                                double epsilon);
[[nodiscard]] ValueId maxPool2d(GraphBuilder& builder, ValueId x, std::int64_t kernel,
                                std::int64_t stride, std::int64_t padding);
// To that number of rows and columns.
[[nodiscard]] ValueId adaptiveAveragePool2d(GraphBuilder& builder, ValueId x, std::int64_t size);

// Rows of a table [entries, width] by whole numbers.
[[nodiscard]] ValueId embedding(GraphBuilder& builder, ValueId weight, ValueId indices);
// "none" (by the error function) or "tanh".
[[nodiscard]] ValueId gelu(GraphBuilder& builder, ValueId x, std::string_view approximate);
[[nodiscard]] ValueId softmax(GraphBuilder& builder, ValueId x, std::int64_t dimension);
[[nodiscard]] ValueId matmul(GraphBuilder& builder, ValueId a, ValueId b);

struct AttentionOptions {
    ValueId mask = -1;  // bool, true where it attends; or numbers that are added. -1: none
    bool causal = false;
    std::optional<double> scale = std::nullopt;  // 1/sqrt(D) if it is left open
    bool grouped = false;                        // several query heads share a key head
};
[[nodiscard]] ValueId attention(GraphBuilder& builder, ValueId query, ValueId key, ValueId value,
                                const AttentionOptions& options);

[[nodiscard]] ValueId permute(GraphBuilder& builder, ValueId x, std::vector<std::int64_t> order);
[[nodiscard]] ValueId expand(GraphBuilder& builder, ValueId x, std::vector<std::int64_t> size);
[[nodiscard]] ValueId indexSelect(GraphBuilder& builder, ValueId x, std::int64_t dimension,
                                  ValueId index);
[[nodiscard]] ValueId argmax(GraphBuilder& builder, ValueId x, std::int64_t dimension);
// int64, 0 … count - 1.
[[nodiscard]] ValueId arange(GraphBuilder& builder, std::int64_t count);
// With the name of a comparison of two tensors: "le".
[[nodiscard]] ValueId compare(GraphBuilder& builder, std::string_view operation, ValueId a,
                              ValueId b);
// In place: the entries of the dimension that `index` names become those of `source`.
ValueId indexCopyInPlace(GraphBuilder& builder, ValueId target, std::int64_t dimension,
                         ValueId index, ValueId source);
// In place: target becomes source, or a number throughout.
ValueId copyInPlace(GraphBuilder& builder, ValueId target, ValueId source);
ValueId fillInPlace(GraphBuilder& builder, ValueId target, std::int64_t number);

}  // namespace qs::core
