#include "core/engine/quantize/compiled_columns.h"

#include "core/graph/builder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>

#include <array>
#include <string>
#include <utility>

namespace qs::engine {

namespace {

// The first one is the example that kernels are chosen for; one row alone may take another path.
constexpr std::array<std::int64_t, 4> kRows{2048, 3, 5, 1};

core::Result<core::Graph> columnsGraph(std::int64_t rows)
{
    constexpr std::int64_t kColumns = CompiledColumns::kColumns;
    core::GraphBuilder b;
    const core::ValueId weight = b.input("weight", {core::DType::Float64, {kColumns, rows}});
    const core::ValueId scale = b.input("scale", {core::DType::Float64, {kColumns, rows}});
    const core::ValueId factor = b.input("factor", {core::DType::Float64, {kColumns, kColumns}});
    std::vector<core::ValueId> columns;
    for (std::int64_t i = 0; i < kColumns; ++i)
        columns.push_back(b.slice(weight, 0, i, i + 1));
    std::vector<core::ValueId> codes;
    std::vector<core::ValueId> errors;
    for (std::int64_t i = 0; i < kColumns; ++i) {
        const core::ValueId column = columns[static_cast<std::size_t>(i)];
        const core::ValueId step = b.slice(scale, 0, i, i + 1);
        const core::ValueId row = b.slice(factor, 0, i, i + 1);
        const core::ValueId code =
            b.clamp(b.unary("round", b.binary("div", column, step)), kLowestCode, kHighestCode);
        const core::ValueId error = b.binary(
            "div", b.binary("sub", column, b.binary("mul", code, step)), b.slice(row, 1, i, i + 1));
        for (std::int64_t j = i + 1; j < kColumns; ++j) {
            core::ValueId& next = columns[static_cast<std::size_t>(j)];
            next = b.binary("sub", next, b.binary("mul", error, b.slice(row, 1, j, j + 1)));
        }
        codes.push_back(code);
        errors.push_back(error);
    }
    b.output(b.concatenate(codes, 0), "codes");
    b.output(b.concatenate(errors, 0), "errors");
    return b.finish();
}

}  // namespace

core::Result<std::vector<core::BatchGraph>> CompiledColumns::graphs()
{
    std::vector<core::BatchGraph> graphs;
    for (const std::int64_t rows : kRows) {
        QS_TRY(core::Graph graph, columnsGraph(rows));
        graphs.push_back({rows, std::move(graph)});
    }
    return graphs;
}

core::Result<CompiledColumns> CompiledColumns::load(const std::filesystem::path& package,
                                                    c10::Device device)
{
    QS_TRY(const core::Graph graph, columnsGraph(kRows.front()));
    QS_TRY(LoadedPackage loaded, LoadedPackage::load(package, device, graph, {}));
    return CompiledColumns(std::move(loaded));
}

// The program has columns first: each is in one piece.
RoundedColumns CompiledColumns::round(const at::Tensor& weight, const at::Tensor& scale,
                                      const at::Tensor& factor) const
{
    const std::int64_t count = weight.size(1);
    const std::int64_t missing = kColumns - count;
    std::vector<at::Tensor> inputs{weight.t().contiguous(), scale.t().contiguous(),
                                   factor.contiguous()};
    if (missing > 0) {
        // Columns of zeros behind, which change nothing before them and are left out again.
        inputs[0] = at::constant_pad_nd(inputs[0], {0, 0, 0, missing});
        inputs[1] = at::constant_pad_nd(inputs[1], {0, 0, 0, missing}, 1.0);
        inputs[2] = at::constant_pad_nd(inputs[2], {0, missing, 0, missing});
        inputs[2].diagonal().slice(0, count).fill_(1.0);
    }
    const std::vector<at::Tensor> outputs = m_package.run(inputs);
    return {outputs[0].slice(0, 0, count).t(), outputs[1].slice(0, 0, count).t()};
}

}  // namespace qs::engine
