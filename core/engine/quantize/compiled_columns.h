#pragma once

#include "core/engine/compile/loaded_package.h"
#include "core/engine/compile/package_compiler.h"
#include "core/engine/quantize/column_rounder.h"
#include "core/graph/exported/program_writer.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace qs::engine {

// Note [Compiled columns]
// Rounding columns one after the other, compiled by Inductor, as a package like any other. The
// program is unrolled, and what Inductor takes for it grows with the square of its columns: a whole
// block of 128 does not end in minutes. So the program has a few columns, any number of rows, and a
// block calls it several times; the columns behind are updated by a product in between.
class CompiledColumns final : public ColumnRounder
{
public:
    static constexpr std::int64_t kColumns = 8;

    // The program for several numbers of rows, from which one for all of them is compiled.
    [[nodiscard]] static core::Result<std::vector<core::BatchGraph>> graphs();
    [[nodiscard]] static core::Result<CompiledColumns> load(const std::filesystem::path& package,
                                                            c10::Device device);

    [[nodiscard]] std::int64_t width() const override { return kColumns; }
    [[nodiscard]] RoundedColumns round(const at::Tensor& weight, const at::Tensor& scale,
                                       const at::Tensor& factor) const override;

private:
    explicit CompiledColumns(LoadedPackage package) : m_package(std::move(package)) {}

    LoadedPackage m_package;
};

}  // namespace qs::engine
