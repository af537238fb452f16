#include "tests/engine/hard_rows.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::tests {

RowKind rowKind(std::int64_t row, std::int64_t first)
{
    return static_cast<RowKind>((row + first) % kRowKinds);
}

std::int64_t turnsOf(const RowSizes& sizes)
{
    return std::max<std::int64_t>(1, kRowKinds - sizes.rows + 1);
}

at::Tensor hardRows(const RowSizes& sizes, std::int64_t first, const RowScales& scales,
                    at::ScalarType type)
{
    at::Tensor x = at::randn({sizes.rows, sizes.length});
    for (std::int64_t row = 0; row < sizes.rows; ++row) {
        const std::int64_t place = (row * 37 + 3) % sizes.length;
        switch (rowKind(row, first)) {
        case RowKind::Normal:
            break;
        case RowKind::Zero:
            x[row].zero_();
            break;
        case RowKind::Huge:
            x[row] *= scales.huge;
            break;
        case RowKind::Tiny:
            x[row] *= scales.tiny;
            x[row][place] = 0.0;
            break;
        case RowKind::Denormal:
            x[row] *= scales.denormal;
            break;
        case RowKind::NotANumber:
            x[row][place] = std::numeric_limits<float>::quiet_NaN();
            break;
        case RowKind::Infinite:
            x[row][place] = std::numeric_limits<float>::infinity();
            break;
        }
    }
    return x.to(type);
}

void expectHalfOfLargest(at::Tensor rows, const std::function<double()>& half)
{
    const std::int64_t count = rows.size(0);
    const auto with = [&](std::int64_t row, double number) {
        rows[row][row % rows.size(1)] = number;
        return half();
    };
    EXPECT_EQ(with(count - 1, -7.5), 3.75);
    EXPECT_EQ(with(0, 8.0), 4.0);
    EXPECT_TRUE(std::isnan(with(count / 2, std::numeric_limits<double>::quiet_NaN())));
}

at::Tensor wide(const at::Tensor& x)
{
    return x.to(at::kFloat).to(at::kDouble);
}

void expectWithin(const at::Tensor& found, const at::Tensor& expected, const at::Tensor& allowed)
{
    const at::Tensor x = wide(found);
    const at::Tensor isSame = x.eq(expected).logical_or(x.isnan().logical_and(expected.isnan()));
    const at::Tensor isFar = isSame.logical_or((x - expected).abs().le(allowed)).logical_not();
    const at::Tensor places = isFar.flatten().nonzero().flatten();
    if (places.numel() == 0)
        return;
    const std::int64_t place = places[0].item<std::int64_t>();
    ADD_FAILURE() << places.numel() << " of " << x.numel() << ", the first at " << place << ": "
                  << x.flatten()[place].item<double>() << " for "
                  << expected.flatten()[place].item<double>() << " within "
                  << allowed.expand_as(x).flatten()[place].item<double>();
}

}  // namespace qs::tests
