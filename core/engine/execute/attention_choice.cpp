#include "core/engine/execute/attention_choice.h"

#include <ATen/Context.h>

namespace qs::engine {

namespace {

core::AttentionKernel& chosen()
{
    static core::AttentionKernel kernel = core::AttentionKernel::Auto;
    return kernel;
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

}  // namespace qs::engine
