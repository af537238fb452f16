#include "core/engine/weights/lay_out_weights.h"

#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/product_units.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <map>

namespace qs::engine {

namespace {

// Matrices of a byte an element that products read.
bool holdsCodes(const at::Tensor& tensor)
{
    const auto type = tensor.scalar_type();
    return tensor.dim() == 2 && (type == at::kChar || type == at::kFloat8_e4m3fn);
}

at::Tensor inLines(const at::Tensor& codes)
{
    const std::int64_t columns = codes.size(1);
    const at::Tensor padded =
        at::empty({codes.size(0), core::linePitch(columns)}, codes.options()).narrow(1, 0, columns);
    padded.copy_(codes);
    return padded;
}

}  // namespace

bool padsRows(const core::Program& program, const core::DeviceDescription& device)
{
    return core::productChip(device).units != core::ProductUnits::None &&
           std::any_of(program.stages.begin(), program.stages.end(),
                       [](const auto& stage) { return stage.compile->name == "fused"; });
}

void padRows(std::vector<StageWeights>& stages)
{
    std::map<const void*, at::Tensor> done;  // what stages share stays shared
    for (StageWeights& stage : stages) {
        for (auto& [name, tensor] : stage.tensors) {
            if (!holdsCodes(tensor) || !tensor.is_contiguous() ||
                core::linePitch(tensor.size(1)) == tensor.size(1))
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
    const std::int64_t pitch = core::linePitch(tensor.size(1));
    return tensor.stride(0) == pitch ? (pitch - tensor.size(1)) * tensor.size(0) : 0;
}

}  // namespace qs::engine
