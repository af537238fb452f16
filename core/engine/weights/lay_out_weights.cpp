#include "core/engine/weights/lay_out_weights.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <map>

namespace qs::engine {

namespace {

constexpr std::int64_t kLine = 128;  // bytes

// Matrices of a byte an element that products read.
bool holdsCodes(const at::Tensor& tensor)
{
    const auto type = tensor.scalar_type();
    return tensor.dim() == 2 && (type == at::kChar || type == at::kFloat8_e4m3fn);
}

at::Tensor inLines(const at::Tensor& codes)
{
    const std::int64_t columns = codes.size(1);
    const std::int64_t pitch = (columns + kLine - 1) / kLine * kLine;
    const at::Tensor padded =
        at::empty({codes.size(0), pitch}, codes.options()).narrow(1, 0, columns);
    padded.copy_(codes);
    return padded;
}

}  // namespace

bool padsRows(const core::Program& program, const core::DeviceDescription& device)
{
    constexpr int kHopper = 9;
    return device.kind == core::DeviceKind::Cuda && device.computeMajor == kHopper &&
           std::any_of(program.stages.begin(), program.stages.end(),
                       [](const auto& stage) { return stage.compile->name == "fused"; });
}

void padRows(std::vector<StageWeights>& stages)
{
    std::map<const void*, at::Tensor> done;  // what stages share stays shared
    for (StageWeights& stage : stages) {
        for (auto& [name, tensor] : stage.tensors) {
            if (!holdsCodes(tensor) || !tensor.is_contiguous() || tensor.size(1) <= kLine ||
                tensor.size(1) % kLine == 0)
                continue;
            at::Tensor& padded = done[tensor.unsafeGetTensorImpl()];
            if (!padded.defined())
                padded = inLines(tensor);
            tensor = padded;
        }
    }
}

std::int64_t paddingOf(const at::Tensor& tensor)
{
    if (!holdsCodes(tensor) || tensor.stride(1) != 1)
        return 0;
    const std::int64_t between = tensor.stride(0) - tensor.size(1);
    const bool inLinesOf = tensor.stride(0) % kLine == 0 && between > 0 && between < kLine;
    return inLinesOf ? between * tensor.size(0) : 0;
}

}  // namespace qs::engine
