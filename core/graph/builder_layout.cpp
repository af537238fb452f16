// The operations that compute nothing: how values lie in memory, their parts, and what is put
// together of parts.
#include "core/graph/builder.h"
#include "core/graph/infer.h"

#include <utility>

namespace qs::core {

ValueId GraphBuilder::contiguous(ValueId x)
{
    return call1("aten::contiguous", {{"self", ValueRef{x}}}, type(x));
}

ValueId GraphBuilder::concatenate(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    QS_ASSERT(!parts.empty());
    TensorType result = type(parts.front());
    const std::size_t along = infer::axis(result.shape, dimension);
    result.shape[along] = 0;
    ValueRefs refs;
    for (const ValueId part : parts) {
        result.shape[along] += shape(part)[along];
        refs.push_back({part});
    }
    return call1("aten::cat", {{"tensors", std::move(refs)}, {"dim", dimension}},
                 std::move(result));
}

ValueId GraphBuilder::stack(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    QS_ASSERT(!parts.empty());
    TensorType result = type(parts.front());
    const auto rank = static_cast<std::int64_t>(result.shape.size()) + 1;
    const std::int64_t at = dimension < 0 ? dimension + rank : dimension;
    result.shape.insert(result.shape.begin() + at, static_cast<std::int64_t>(parts.size()));
    ValueRefs refs;
    for (const ValueId part : parts) {
        QS_ASSERT(type(part) == type(parts.front()));
        refs.push_back({part});
    }
    return call1("aten::stack", {{"tensors", std::move(refs)}, {"dim", dimension}},
                 std::move(result));
}

ValueId GraphBuilder::padRows(ValueId x, std::int64_t rows)
{
    TensorType result = type(x);
    QS_ASSERT(result.shape.size() == 2);
    result.shape[0] += rows;
    return call1("aten::constant_pad_nd",
                 {{"self", ValueRef{x}}, {"pad", std::vector<std::int64_t>{0, 0, 0, rows}}},
                 std::move(result));
}

ValueId GraphBuilder::view(ValueId x, std::vector<std::int64_t> shape)
{
    TensorType result{type(x).dtype, shape};
    QS_ASSERT(result.elementCount() == type(x).elementCount());
    return call1("aten::view", {{"self", ValueRef{x}}, {"size", std::move(shape)}},
                 std::move(result));
}

ValueId GraphBuilder::reshape(ValueId x, std::vector<std::int64_t> shape)
{
    TensorType result{type(x).dtype, shape};
    QS_ASSERT(result.elementCount() == type(x).elementCount());
    return call1("aten::reshape", {{"self", ValueRef{x}}, {"shape", std::move(shape)}},
                 std::move(result));
}

ValueId GraphBuilder::transpose(ValueId x, std::int64_t first, std::int64_t second)
{
    TensorType result = type(x);
    std::swap(result.shape[infer::axis(result.shape, first)],
              result.shape[infer::axis(result.shape, second)]);
    return call1("aten::transpose.int", {{"self", ValueRef{x}}, {"dim0", first}, {"dim1", second}},
                 std::move(result));
}

ValueId GraphBuilder::matrixTranspose(ValueId x)
{
    TensorType result = type(x);
    QS_ASSERT(result.shape.size() == 2);
    std::swap(result.shape[0], result.shape[1]);
    return call1("aten::t", {{"self", ValueRef{x}}}, std::move(result));
}

ValueId GraphBuilder::unsqueeze(ValueId x, std::int64_t dimension)
{
    TensorType result = type(x);
    const auto rank = static_cast<std::int64_t>(result.shape.size()) + 1;
    result.shape.insert(result.shape.begin() + (dimension < 0 ? dimension + rank : dimension), 1);
    return call1("aten::unsqueeze", {{"self", ValueRef{x}}, {"dim", dimension}}, std::move(result));
}

ValueId GraphBuilder::flatten(ValueId x, std::int64_t first, std::int64_t last)
{
    TensorType result{type(x).dtype, {}};
    const std::size_t from = infer::axis(shape(x), first);
    const std::size_t to = infer::axis(shape(x), last);
    for (std::size_t i = 0; i < shape(x).size(); ++i) {
        if (i > from && i <= to)
            result.shape.back() *= shape(x)[i];
        else
            result.shape.push_back(shape(x)[i]);
    }
    return call1("aten::flatten.using_ints",
                 {{"self", ValueRef{x}}, {"start_dim", first}, {"end_dim", last}},
                 std::move(result));
}

ValueId GraphBuilder::select(ValueId x, std::int64_t dimension, std::int64_t index)
{
    TensorType result = type(x);
    result.shape.erase(result.shape.begin() +
                       static_cast<std::ptrdiff_t>(infer::axis(result.shape, dimension)));
    return call1("aten::select.int", {{"self", ValueRef{x}}, {"dim", dimension}, {"index", index}},
                 std::move(result));
}

ValueId GraphBuilder::slice(ValueId x, std::int64_t dimension, std::int64_t begin, std::int64_t end)
{
    TensorType result = type(x);
    std::int64_t& extent = result.shape[infer::axis(result.shape, dimension)];
    QS_ASSERT(begin >= 0 && begin <= end && end <= extent);
    extent = end - begin;
    return call1("aten::slice.Tensor",
                 {{"self", ValueRef{x}}, {"dim", dimension}, {"start", begin}, {"end", end}},
                 std::move(result));
}

std::vector<ValueId> GraphBuilder::unbind(ValueId x, std::int64_t dimension)
{
    TensorType part = type(x);
    const std::size_t along = infer::axis(part.shape, dimension);
    const auto count = static_cast<std::size_t>(part.shape[along]);
    part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(along));
    return call("aten::unbind.int", {{"self", ValueRef{x}}, {"dim", dimension}},
                std::vector<TensorType>(count, part));
}

std::vector<ValueId> GraphBuilder::chunk(ValueId x, std::int64_t chunks, std::int64_t dimension)
{
    TensorType part = type(x);
    std::int64_t& extent = part.shape[infer::axis(part.shape, dimension)];
    QS_ASSERT(extent % chunks == 0);
    extent /= chunks;
    return call("aten::chunk", {{"self", ValueRef{x}}, {"chunks", chunks}, {"dim", dimension}},
                std::vector<TensorType>(static_cast<std::size_t>(chunks), part));
}

}  // namespace qs::core
