#include "core/model/vitok/patchify.h"

#include "core/graph/graph.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace qs::core::vitok {

namespace {

struct Layout {
    std::int64_t batch, rows, columns, patch;

    // Calls visit(offset of a run of P pixels in the pictures, its offset in the tokens) for every
    // run.
    template <typename Visit>
    void forEachRun(const Visit& visit) const
    {
        const std::int64_t width = columns * patch;
        const std::int64_t plane = rows * patch * width;
        const std::int64_t tokenSize = 3 * patch * patch;
        for (std::int64_t b = 0; b < batch; ++b)
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t column = 0; column < columns; ++column)
                    for (std::int64_t c = 0; c < 3; ++c)
                        for (std::int64_t y = 0; y < patch; ++y)
                            visit((b * 3 + c) * plane + (row * patch + y) * width + column * patch,
                                  ((b * rows + row) * columns + column) * tokenSize +
                                      (c * patch + y) * patch);
    }
};

bool holdsItsShape(const FloatArray& array)
{
    const TensorType type{DType::Float32, array.shape};
    return static_cast<std::int64_t>(array.values.size()) == type.elementCount();
}

}  // namespace

Result<FloatArray> patchify(const FloatArray& pictures, std::int64_t patch)
{
    const auto& shape = pictures.shape;
    if (patch < 1 || shape.size() != 4 || shape[1] != 3 || !holdsItsShape(pictures))
        return Error{ErrorCode::InvalidArgument, "images must have the shape [B, 3, H, W]"};
    if (shape[2] == 0 || shape[3] == 0 || shape[2] % patch != 0 || shape[3] % patch != 0)
        return Error{ErrorCode::InvalidArgument,
                     std::to_string(shape[3]) + "x" + std::to_string(shape[2]) +
                         " pixels are not a whole number of patches of " + std::to_string(patch)};
    const Layout layout{shape[0], shape[2] / patch, shape[3] / patch, patch};
    FloatArray tokens{{shape[0], layout.rows * layout.columns, 3 * patch * patch},
                      std::vector<float>(pictures.values.size())};
    layout.forEachRun([&](std::int64_t from, std::int64_t to) {
        std::copy_n(pictures.values.begin() + from, patch, tokens.values.begin() + to);
    });
    return tokens;
}

Result<FloatArray> unpatchify(const FloatArray& tokens, std::int64_t patch, std::int64_t rows,
                              std::int64_t columns)
{
    const auto& shape = tokens.shape;
    if (shape.size() != 3 || shape[1] != rows * columns || shape[2] != 3 * patch * patch ||
        !holdsItsShape(tokens))
        return Error{ErrorCode::InvalidArgument, "tokens do not have the shape [B, " +
                                                     std::to_string(rows * columns) + ", " +
                                                     std::to_string(3 * patch * patch) + "]"};
    const Layout layout{shape[0], rows, columns, patch};
    FloatArray pictures{{shape[0], 3, rows * patch, columns * patch},
                        std::vector<float>(tokens.values.size())};
    layout.forEachRun([&](std::int64_t to, std::int64_t from) {
        std::copy_n(tokens.values.begin() + from, patch, pictures.values.begin() + to);
    });
    return pictures;
}

FloatArray withWholePatches(const FloatArray& images, std::int64_t patch)
{
    const std::int64_t height = images.shape[2];
    const std::int64_t width = images.shape[3];
    const std::int64_t wholeHeight = (height + patch - 1) / patch * patch;
    const std::int64_t wholeWidth = (width + patch - 1) / patch * patch;
    const std::int64_t planes = images.shape[0] * images.shape[1];
    FloatArray all{{images.shape[0], images.shape[1], wholeHeight, wholeWidth},
                   std::vector<float>(static_cast<std::size_t>(planes * wholeHeight * wholeWidth))};
    for (std::int64_t i = 0; i < planes; ++i) {
        for (std::int64_t row = 0; row < height; ++row)
            std::copy_n(images.values.begin() + (i * height + row) * width, width,
                        all.values.begin() + (i * wholeHeight + row) * wholeWidth);
    }
    return all;
}

FloatArray firstEntries(const FloatArray& array, std::size_t dimension, std::int64_t count)
{
    if (array.shape[dimension] <= count)
        return array;
    const auto at = array.shape.begin() + static_cast<std::ptrdiff_t>(dimension);
    const auto product = [](auto from, auto to) {
        return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
    };
    const std::int64_t outer = product(array.shape.begin(), at);
    const std::int64_t inner = product(at + 1, array.shape.end());
    const std::int64_t step = *at * inner;
    FloatArray first{array.shape,
                     std::vector<float>(static_cast<std::size_t>(outer * count * inner))};
    first.shape[dimension] = count;
    for (std::int64_t i = 0; i < outer; ++i)
        std::copy_n(array.values.begin() + i * step, count * inner,
                    first.values.begin() + i * count * inner);
    return first;
}

}  // namespace qs::core::vitok
