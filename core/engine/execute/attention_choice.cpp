#include "core/engine/execute/attention_choice.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/Context.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/empty.h>

#include <array>
#include <optional>
#include <string_view>

namespace qs::engine {

namespace {

core::AttentionKernel& chosen()
{
    static core::AttentionKernel kernel = core::AttentionKernel::Auto;
    return kernel;
}

bool isSet(const core::Node& node, std::string_view argument)
{
    const auto* found = node.find(argument);
    const bool* flag = found == nullptr ? nullptr : std::get_if<bool>(found);
    return flag != nullptr && *flag;
}

// The kernel that PyTorch picks for one call.
std::int64_t choiceFor(const core::Graph& graph, const core::Node& node, c10::Device device)
{
    const auto like = [&](std::string_view argument) {
        // Heads are views of [B, N, H, D] tensors, and the choice looks at strides.
        const core::TensorType& type = graph.value(node.tensor(argument)).type;
        return at::empty({type.shape[0], type.shape[2], type.shape[1], type.shape[3]},
                         optionsOf(type.dtype, device))
            .transpose(1, 2);
    };
    std::optional<at::Tensor> mask;
    if (const core::ValueId id = node.tensor("attn_mask"); id >= 0)
        mask = at::empty(graph.value(id).type.shape, optionsOf(graph.value(id).type.dtype, device));
    return at::_fused_sdp_choice(like("query"), like("key"), like("value"), mask, 0.0,
                                 isSet(node, "is_causal"), std::nullopt, isSet(node, "enable_gqa"));
}

}  // namespace

core::AttentionKernel chosenAttention()
{
    return chosen();
}

void chooseAttention(core::AttentionKernel kernel)
{
    chosen() = kernel;
    using core::AttentionKernel;
    const auto allows = [&](AttentionKernel each) {
        return kernel == AttentionKernel::Auto || kernel == each;
    };
    at::Context& context = at::globalContext();
    context.setSDPUseMath(allows(AttentionKernel::Math));
    context.setSDPUseFlash(allows(AttentionKernel::Flash));
    context.setSDPUseMemEfficient(allows(AttentionKernel::Efficient));
    context.setSDPUseCuDNN(allows(AttentionKernel::Cudnn));
}

std::string pickedAttention(const core::Graph& stage, c10::Device device)
{
    // Values of at::SDPBackend.
    static constexpr std::array<const char*, 5> kNames{"math", "flash", "efficient", "cudnn",
                                                       "overrideable"};
    for (const core::Node& node : stage.nodes) {
        if (node.operation->operationClass != core::OperationClass::Attention ||
            stage.value(node.tensor("query")).type.shape.size() != 4)
            continue;
        const auto choice = choiceFor(stage, node, device);
        const bool known = choice >= 0 && static_cast<std::size_t>(choice) < kNames.size();
        return known ? kNames[static_cast<std::size_t>(choice)] : "none";
    }
    return {};
}

}  // namespace qs::engine
