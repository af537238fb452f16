#include "core/engine/internal/cuda_feed.h"

#include "core/engine/internal/cuda_timing.h"

#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAGuard.h>

namespace qs::engine {

namespace {

std::vector<at::Tensor> onHost(const std::vector<at::Tensor>& inputs, bool pinned)
{
    std::vector<at::Tensor> batch;
    for (const at::Tensor& input : inputs) {
        const at::Tensor host = input.cpu();
        batch.push_back(pinned ? host.pin_memory() : host);
    }
    return batch;
}

// Copies on the stream of the passes, before each of them.
class CopyBefore final : public InputFeed
{
public:
    CopyBefore(std::vector<at::Tensor> inputs, bool pinned)
        : m_inputs(std::move(inputs)), m_batch(onHost(m_inputs, pinned)), m_pinned(pinned)
    {
    }

    void beforePass() override
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            m_inputs[i].copy_(m_batch[i], m_pinned);
    }
    void afterPass() override {}

private:
    std::vector<at::Tensor> m_inputs;
    std::vector<at::Tensor> m_batch;
    bool m_pinned;
};

// Two places on the device: while a pass works on one batch, the next one is copied to the other
// place on a stream of its own. The pass reads fixed addresses, so that its batch is moved there
// inside the device first.
class CopyBeside final : public InputFeed
{
public:
    CopyBeside(std::vector<at::Tensor> inputs, c10::cuda::CUDAStream stream)
        : m_inputs(std::move(inputs)),
          m_batch(onHost(m_inputs, true)),
          m_stream(stream),
          m_copies(c10::cuda::getStreamFromPool(false, stream.device_index()))
    {
        for (const at::Tensor& input : m_inputs)
            m_next.push_back(at::empty_like(input));
        m_taken.record(m_stream.stream());
        copyNext();
        afterPass();
    }

    void beforePass() override
    {
        m_arrived.blockStream(m_stream.stream());
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            m_inputs[i].copy_(m_next[i], true);
        m_taken.record(m_stream.stream());
        copyNext();
    }
    void afterPass() override { m_arrived.wait(); }

private:
    void copyNext()
    {
        const c10::cuda::CUDAStreamGuard guard(m_copies);
        m_taken.blockStream(m_copies.stream());
        for (std::size_t i = 0; i < m_next.size(); ++i)
            m_next[i].copy_(m_batch[i], true);
        m_arrived.record(m_copies.stream());
    }

    std::vector<at::Tensor> m_inputs;
    std::vector<at::Tensor> m_batch;
    std::vector<at::Tensor> m_next;
    c10::cuda::CUDAStream m_stream;
    c10::cuda::CUDAStream m_copies;
    Event m_taken;    // the place of the next batch is free
    Event m_arrived;  // the next batch is there
};

}  // namespace

core::Result<std::unique_ptr<InputFeed>> makeCudaFeed(core::InputResidency residency,
                                                      const std::vector<at::Tensor>& inputs,
                                                      c10::cuda::CUDAStream stream)
{
    switch (residency) {
    case core::InputResidency::Pageable:
        return std::unique_ptr<InputFeed>(std::make_unique<CopyBefore>(inputs, false));
    case core::InputResidency::Pinned:
        return std::unique_ptr<InputFeed>(std::make_unique<CopyBefore>(inputs, true));
    case core::InputResidency::Overlapped:
        return std::unique_ptr<InputFeed>(std::make_unique<CopyBeside>(inputs, stream));
    case core::InputResidency::Device:
        break;
    }
    return core::Error{core::ErrorCode::Unsupported, "inputs on the device need no copies"};
}

}  // namespace qs::engine
