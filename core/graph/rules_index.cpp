#include "core/graph/type_rules.h"

namespace qs::core::rules {

namespace {

void requireIndices(CallReader& call, const TensorType& indices)
{
    static_cast<void>(call.require(indices.dtype == DType::Int64 || indices.dtype == DType::Int32,
                                   "indices are no whole numbers of 32 or 64 bits"));
}

// What x[indices] has, for a list with a tensor or None for each dimension from the first on:
// indexed dimensions that stand together are replaced where they are, others come in front.
Shape indexed(CallReader& call, const TensorType& self)
{
    const auto indices = call.tensorsOrNone("indices");
    if (!call.require(indices.size() <= self.shape.size(), "more indices than dimensions"))
        return self.shape;
    Shape common;
    bool any = false;
    bool apart = false;
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (!indices[i])
            continue;
        requireIndices(call, *indices[i]);
        common = any ? call.broadcast(common, indices[i]->shape) : indices[i]->shape;
        first = any ? first : i;
        apart = apart || (any && i != last + 1);
        any = true;
        last = i;
    }
    static_cast<void>(call.require(any, "nothing is indexed"));
    Shape result;
    if (apart)
        result = common;
    for (std::size_t i = 0; i < self.shape.size(); ++i) {
        if (!apart && any && i == first)
            result.insert(result.end(), common.begin(), common.end());
        if (i >= indices.size() || !indices[i])
            result.push_back(self.shape[i]);
    }
    return result;
}

}  // namespace

void embedding(CallReader& call)
{
    const Shape weight = call.shape("weight", 2);
    const TensorType indices = call.tensor("indices");
    requireIndices(call, indices);
    Shape result = indices.shape;
    result.push_back(weight[1]);
    call.give(call.tensor("weight").dtype, result);
}

void indexSelect(CallReader& call)
{
    TensorType self = call.tensor("self", 1);
    const TensorType indices = call.tensor("index");
    requireIndices(call, indices);
    static_cast<void>(call.require(indices.shape.size() <= 1, "the index is no vector"));
    self.shape[call.axis(call.whole("dim"), self.shape.size())] = indices.elementCount();
    call.give(self);
}

void gather(CallReader& call)
{
    const TensorType self = call.tensor("self");
    const TensorType indices = call.tensor("index");
    static_cast<void>(call.require(indices.dtype == DType::Int64, "indices are not int64"));
    const std::size_t rank = self.shape.size();
    if (call.require(indices.shape.size() == rank, "the index has other dimensions")) {
        const std::size_t along = call.axis(call.whole("dim"), std::max<std::size_t>(rank, 1));
        for (std::size_t i = 0; i < rank; ++i)
            static_cast<void>(call.require(i == along || indices.shape[i] <= self.shape[i],
                                           "the index is larger than the tensor"));
    }
    call.give(self.dtype, indices.shape);
}

void index(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    call.give(self.dtype, indexed(call, self));
}

void indexCopy(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const TensorType source = call.tensor("source");
    const TensorType indices = call.tensor("index");
    static_cast<void>(call.require(indices.dtype == DType::Int64 && indices.shape.size() <= 1,
                                   "the index is no vector of int64"));
    Shape expected = self.shape;
    expected[call.axis(call.whole("dim"), expected.size())] = indices.elementCount();
    static_cast<void>(call.require(source.shape == expected && source.dtype == self.dtype,
                                   "the source does not fit what is replaced"));
    call.give(self);
}

void indexPut(CallReader& call)
{
    const TensorType self = call.tensor("self", 1);
    const TensorType values = call.tensor("values");
    const Shape target = indexed(call, self);
    static_cast<void>(
        call.require(call.broadcast(values.shape, target) == target && values.dtype == self.dtype,
                     "the values do not fit what is replaced"));
    call.give(self);
}

void arange(CallReader& call)
{
    if (call.isReal("end") || call.isReal("start") || call.isReal("step")) {
        static_cast<void>(call.require(false, "only ranges of whole numbers are known"));
        return;
    }
    const std::int64_t begin = call.whole("start", 0);
    const std::int64_t end = call.whole("end");
    const std::int64_t step = call.whole("step", 1);
    std::int64_t distance = 0;
    const bool sane = step != 0 && !__builtin_sub_overflow(end, begin, &distance) &&
                      (distance == 0 || (distance > 0) == (step > 0)) && step > -kMostElements &&
                      step < kMostElements && distance > -kMostElements && distance < kMostElements;
    if (!call.require(sane, "the range has no end"))
        return;
    const std::int64_t count = (distance + step - (step > 0 ? 1 : -1)) / step;
    call.give(call.dtype("dtype", DType::Int64), {count});
}

// full, zeros, ones.
void filled(CallReader& call)
{
    const bool real = !call.has("fill_value") || call.isReal("fill_value");
    call.give(call.dtype("dtype", real ? DType::Float32 : DType::Int64), call.list("size"));
}

}  // namespace qs::core::rules
