#include "core/engine/weights/weight_layouts.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace qs::engine {

namespace {

// A tensor of oneDNN has no storage that could be asked.
std::int64_t bytesOf(const at::Tensor& tensor)
{
    const auto operation = c10::Dispatcher::singleton().findSchema({"mkldnn::_nbytes", ""});
    if (!tensor.is_mkldnn() || !operation)
        return static_cast<std::int64_t>(tensor.nbytes());
    torch::jit::Stack stack{tensor};
    operation->callBoxed(stack);
    return stack.front().toInt();
}

}  // namespace

core::Result<NamedTensors> makeLayouts(const core::Graph& layouts, const NamedTensors& weights,
                                       c10::Device device)
{
    QS_TRY(const Executor executor, Executor::create(layouts, weights, device));
    const std::vector<at::Tensor> made = executor.run({});
    NamedTensors tensors;
    for (std::size_t i = 0; i < made.size(); ++i)
        tensors.emplace(layouts.value(layouts.outputs[i]).name, made[i]);
    return tensors;
}

std::int64_t layoutBytesOf(const NamedTensors& layouts)
{
    std::int64_t bytes = 0;
    for (const auto& [name, tensor] : layouts)
        bytes += bytesOf(tensor);
    return bytes;
}

}  // namespace qs::engine
