#pragma once

#include "core/engine/internal/backend.h"
#include "core/engine/quantize/column_rounder.h"
#include "core/kernels/generated_kernel.h"

#include <optional>
#include <utility>

namespace qs::engine {

// Note [Row columns]
// Errors pass along a row, never from row to row. So rows are rounded side by side: on a GPU by a
// kernel of our own, a warp for each row, whose columns stay in registers while it goes through
// them; on a CPU by a loop, a part of the rows for each thread. A block is one launch, where
// operations one by one take several for each column.
class RowColumns final : public ColumnRounder
{
public:
    // `backend` outlives it.
    [[nodiscard]] static core::Result<std::shared_ptr<const RowColumns>>
    build(const core::DeviceDescription& device, const Backend& backend);

    // As round() has them, each row in one piece.
    struct Operands {
        at::Tensor weight;
        at::Tensor scale;
        at::Tensor factor;
    };

    [[nodiscard]] std::int64_t width() const override;
    // Throws std::runtime_error where a launch fails.
    [[nodiscard]] RoundedColumns round(const at::Tensor& weight, const at::Tensor& scale,
                                       const at::Tensor& factor) const override;

private:
    RowColumns(const Backend& backend, std::optional<core::GeneratedKernel> kernel)
        : m_backend(backend), m_kernel(std::move(kernel))
    {
    }

    void launch(const Operands& operands, const RoundedColumns& rounded) const;

    const Backend& m_backend;
    std::optional<core::GeneratedKernel> m_kernel;  // none on a CPU
};

}  // namespace qs::engine
