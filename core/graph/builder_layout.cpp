// The operations that compute nothing: how values lie in memory, their parts, and what is put
// together of parts.
#include "core/graph/builder.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

ValueRefs refsOf(const std::vector<ValueId>& parts)
{
    ValueRefs refs;
    for (const ValueId part : parts)
        refs.push_back({part});
    return refs;
}

}  // namespace

ValueId GraphBuilder::contiguous(ValueId x)
{
    return call1("aten::contiguous", {{"self", ValueRef{x}}});
}

ValueId GraphBuilder::concatenate(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    return call1("aten::cat", {{"tensors", refsOf(parts)}, {"dim", dimension}});
}

ValueId GraphBuilder::stack(const std::vector<ValueId>& parts, std::int64_t dimension)
{
    return call1("aten::stack", {{"tensors", refsOf(parts)}, {"dim", dimension}});
}

ValueId GraphBuilder::padRows(ValueId x, std::int64_t rows)
{
    if (!failed() && shape(x).size() != 2)
        fail({ErrorCode::Format, "rows are padded below a matrix, not " + toText(type(x))});
    return call1("aten::constant_pad_nd",
                 {{"self", ValueRef{x}}, {"pad", std::vector<std::int64_t>{0, 0, 0, rows}}});
}

ValueId GraphBuilder::view(ValueId x, std::vector<std::int64_t> shape)
{
    return call1("aten::view", {{"self", ValueRef{x}}, {"size", std::move(shape)}});
}

ValueId GraphBuilder::reshape(ValueId x, std::vector<std::int64_t> shape)
{
    return call1("aten::reshape", {{"self", ValueRef{x}}, {"shape", std::move(shape)}});
}

ValueId GraphBuilder::transpose(ValueId x, std::int64_t first, std::int64_t second)
{
    return call1("aten::transpose.int", {{"self", ValueRef{x}}, {"dim0", first}, {"dim1", second}});
}

ValueId GraphBuilder::matrixTranspose(ValueId x)
{
    return call1("aten::t", {{"self", ValueRef{x}}});
}

ValueId GraphBuilder::unsqueeze(ValueId x, std::int64_t dimension)
{
    return call1("aten::unsqueeze", {{"self", ValueRef{x}}, {"dim", dimension}});
}

ValueId GraphBuilder::flatten(ValueId x, std::int64_t first, std::int64_t last)
{
    return call1("aten::flatten.using_ints",
                 {{"self", ValueRef{x}}, {"start_dim", first}, {"end_dim", last}});
}

ValueId GraphBuilder::select(ValueId x, std::int64_t dimension, std::int64_t index)
{
    return call1("aten::select.int", {{"self", ValueRef{x}}, {"dim", dimension}, {"index", index}});
}

ValueId GraphBuilder::slice(ValueId x, std::int64_t dimension, std::int64_t begin, std::int64_t end)
{
    return call1("aten::slice.Tensor",
                 {{"self", ValueRef{x}}, {"dim", dimension}, {"start", begin}, {"end", end}});
}

std::vector<ValueId> GraphBuilder::unbind(ValueId x, std::int64_t dimension)
{
    return call("aten::unbind.int", {{"self", ValueRef{x}}, {"dim", dimension}});
}

std::vector<ValueId> GraphBuilder::chunk(ValueId x, std::int64_t chunks, std::int64_t dimension)
{
    const TensorType whole = type(x);
    auto parts =
        call("aten::chunk", {{"self", ValueRef{x}}, {"chunks", chunks}, {"dim", dimension}});
    const bool equal = failed() || (static_cast<std::int64_t>(parts.size()) == chunks &&
                                    shape(parts.front()) == shape(parts.back()));
    if (equal)
        return parts;
    fail({ErrorCode::Format,
          toText(whole) + " does not split into " + std::to_string(chunks) + " equal parts"});
    return std::vector<ValueId>(static_cast<std::size_t>(std::max<std::int64_t>(chunks, 16)), 0);
}

}  // namespace qs::core
