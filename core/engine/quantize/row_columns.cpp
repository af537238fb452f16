#include "core/engine/quantize/row_columns.h"

#include "core/base/checks.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace qs::engine {

namespace {

constexpr std::int64_t kWidth = 128;  // four columns for each lane of a warp
constexpr int kRowsPerBlock = 4;      // a warp each
constexpr int kLanes = 32;

constexpr const char* kName = "qs_round_rows";
constexpr const char* kText = R"(
extern "C" __global__ void __launch_bounds__(128)
qs_round_rows(const double* __restrict__ weight, long long weightPitch, const double* __restrict__ scale,
              long long scalePitch, const double* __restrict__ factor, long long factorPitch,
              double* __restrict__ codes, double* __restrict__ errors, long long rows, int columns)
{
    constexpr int kParts = 4;
    const int lane = threadIdx.x & 31;
    const long long row = blockIdx.x * 4ll + (threadIdx.x >> 5);
    if (row >= rows)
        return;
    double w[kParts], step[kParts], code[kParts], error[kParts];
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
        const int column = part * 32 + lane;
        w[part] = column < columns ? weight[row * weightPitch + column] : 0.0;
        step[part] = column < columns ? scale[row * scalePitch + column] : 1.0;
    }
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
        for (int from = 0; from < 32; ++from) {
            const int i = part * 32 + from;
            if (i >= columns)
                break;
            const double* f = factor + i * factorPitch;
            const double value = __shfl_sync(0xffffffffu, w[part], from);
            const double size = __shfl_sync(0xffffffffu, step[part], from);
            const double rounded = rint(value / size);
            const double c = rounded < -8.0 ? -8.0 : (rounded > 7.0 ? 7.0 : rounded);
            const double e = (value - c * size) / f[i];
            if (lane == from) {
                code[part] = c;
                error[part] = e;
            }
#pragma unroll
            for (int behind = part; behind < kParts; ++behind) {
                const int column = behind * 32 + lane;
                if (column > i && column < columns)
                    w[behind] = w[behind] - e * f[column];
            }
        }
    }
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
        const int column = part * 32 + lane;
        if (column < columns) {
            codes[row * columns + column] = code[part];
            errors[row * columns + column] = error[part];
        }
    }
}
)";

// Of one row; `left` is what is not rounded yet.
void roundRow(std::vector<double>& left, const double* scale, const double* factor,
              std::int64_t pitch, double* codes, double* errors)
{
    const std::size_t columns = left.size();
    for (std::size_t i = 0; i < columns; ++i) {
        const double* row = factor + static_cast<std::int64_t>(i) * pitch;
        const double rounded = std::nearbyint(left[i] / scale[i]);
        // A NaN stays one.
        const double code =
            rounded < kLowestCode ? kLowestCode : (rounded > kHighestCode ? kHighestCode : rounded);
        const double error = (left[i] - code * scale[i]) / row[i];
        codes[i] = code;
        errors[i] = error;
        for (std::size_t j = i + 1; j < columns; ++j)
            left[j] -= error * row[j];
    }
}

at::Tensor rowMajor(const at::Tensor& matrix)
{
    return matrix.stride(1) == 1 ? matrix : matrix.contiguous();
}

void roundOnProcessor(const RowColumns::Operands& operands, const RoundedColumns& rounded)
{
    constexpr std::int64_t kGrain = 16;
    const auto& [weight, scale, factor] = operands;
    const std::int64_t columns = weight.size(1);
    const auto* from = weight.const_data_ptr<double>();
    const auto* steps = scale.const_data_ptr<double>();
    const auto* rows = factor.const_data_ptr<double>();
    auto* codes = rounded.codes.mutable_data_ptr<double>();
    auto* errors = rounded.errors.mutable_data_ptr<double>();
    at::parallel_for(0, weight.size(0), kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const double* first = from + row * weight.stride(0);
            std::vector<double> left(first, first + columns);
            roundRow(left, steps + row * scale.stride(0), rows, factor.stride(0),
                     codes + row * columns, errors + row * columns);
        }
    });
}

}  // namespace

core::Result<std::shared_ptr<const RowColumns>>
RowColumns::build(const core::DeviceDescription& device, const Backend& backend)
{
    std::optional<core::GeneratedKernel> kernel;
    if (backend.device().is_cuda()) {
        QS_TRY(kernel, core::GeneratedKernel::build(kText, kName, device.computeMajor,
                                                    device.computeMinor, backend.kernels()));
    }
    return std::shared_ptr<const RowColumns>(new RowColumns(backend, std::move(kernel)));
}

std::int64_t RowColumns::width() const
{
    return kWidth;
}

RoundedColumns RowColumns::round(const at::Tensor& weight, const at::Tensor& scale,
                                 const at::Tensor& factor) const
{
    QS_ASSERT(weight.size(1) <= kWidth);
    const Operands operands{rowMajor(weight), rowMajor(scale), rowMajor(factor)};
    const RoundedColumns rounded{at::empty(weight.sizes(), weight.options()),
                                 at::empty(weight.sizes(), weight.options())};
    if (m_kernel)
        launch(operands, rounded);
    else
        roundOnProcessor(operands, rounded);
    return rounded;
}

void RowColumns::launch(const Operands& operands, const RoundedColumns& rounded) const
{
    // A matrix is its first element and the elements from row to row.
    std::vector<void*> first;
    std::vector<std::int64_t> pitches;
    for (const at::Tensor* each : {&operands.weight, &operands.scale, &operands.factor}) {
        first.push_back(each->data_ptr());
        pitches.push_back(each->stride(0));
    }
    void* codes = rounded.codes.data_ptr();
    void* errors = rounded.errors.data_ptr();
    std::int64_t rows = operands.weight.size(0);
    auto columns = static_cast<int>(operands.weight.size(1));
    const core::Status launched = m_kernel->launch(
        {&first[0], &pitches[0], &first[1], &pitches[1], &first[2], &pitches[2], &codes, &errors,
         &rows, &columns},
        {(rows + kRowsPerBlock - 1) / kRowsPerBlock, kRowsPerBlock * kLanes}, m_backend.stream());
    if (!launched.ok())
        throw std::runtime_error(launched.error().message);
}

}  // namespace qs::engine
