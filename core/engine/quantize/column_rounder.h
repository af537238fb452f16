#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace qs::engine {

// Of int4.
inline constexpr double kLowestCode = -8.0;
inline constexpr double kHighestCode = 7.0;

// What rounding a few columns gives, [rows, columns] of float64.
struct RoundedColumns {
    at::Tensor codes;
    at::Tensor errors;
};

// Rounds a few columns one after the other, each taking over the errors of those before it, see
// Note [GPTQ]. What comes behind them is updated by a product.
class ColumnRounder
{
public:
    virtual ~ColumnRounder() = default;

    // Columns at a time.
    [[nodiscard]] virtual std::int64_t width() const = 0;
    // weight and scale [rows, columns], factor [columns, columns], of float64; up to width()
    // columns. Views are welcome, and are not changed.
    [[nodiscard]] virtual RoundedColumns round(const at::Tensor& weight, const at::Tensor& scale,
                                               const at::Tensor& factor) const = 0;
};

// By the word that schemes ask for them with, "by=compiled".
using ColumnRounders = std::map<std::string, std::shared_ptr<const ColumnRounder>>;

}  // namespace qs::engine
