#include "core/graph/infer.h"

#include <algorithm>

namespace qs::core::infer {

namespace {

DType promoted(DType a, DType b)
{
    if (a == b)
        return a;
    QS_ASSERT(isFloating(a) || isFloating(b));
    if (!isFloating(b))
        return a;
    return isFloating(a) ? DType::Float32 : b;
}

}  // namespace

std::size_t axis(const std::vector<std::int64_t>& shape, std::int64_t dimension)
{
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t index = dimension < 0 ? dimension + rank : dimension;
    QS_ASSERT(index >= 0 && index < rank);
    return static_cast<std::size_t>(index);
}

std::vector<std::int64_t> broadcast(const std::vector<std::int64_t>& a,
                                    const std::vector<std::int64_t>& b)
{
    std::vector<std::int64_t> result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
        QS_ASSERT(left == right || left == 1 || right == 1);
        result[result.size() - 1 - i] = std::max(left, right);
    }
    return result;
}

DType promoted(const TensorType& a, const TensorType& b)
{
    if (isFloating(a.dtype) == isFloating(b.dtype) && a.shape.empty() != b.shape.empty())
        return a.shape.empty() ? b.dtype : a.dtype;
    return promoted(a.dtype, b.dtype);
}

std::vector<std::int64_t> reduced(std::vector<std::int64_t> shape,
                                  const std::vector<std::int64_t>& dimensions)
{
    if (dimensions.empty())
        return {};
    for (const std::int64_t dimension : dimensions)
        shape[axis(shape, dimension)] = 1;
    return shape;
}

}  // namespace qs::core::infer
