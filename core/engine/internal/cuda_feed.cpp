#include "core/engine/internal/cuda_feed.h"

#include "core/engine/internal/cuda_timing.h"

#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAGuard.h>

namespace qs::engine {

namespace {

// Batches in the memory of the host, one after the other, from the first again after the last.
class Batches final
{
public:
    Batches(std::vector<InputBatch> batches, bool pinned) : m_batches(std::move(batches))
    {
        if (!pinned)
            return;
        for (InputBatch& batch : m_batches) {
            for (at::Tensor& tensor : batch)
                tensor = tensor.pin_memory();
        }
    }

    const InputBatch& next()
    {
        const InputBatch& batch = m_batches[m_next];
        m_next = (m_next + 1) % m_batches.size();
        return batch;
    }

private:
    std::vector<InputBatch> m_batches;
    std::size_t m_next = 0;
};

// Copies on the stream of the passes, before each of them.
class CopyBefore final : public InputFeed
{
public:
    CopyBefore(InputBatch inputs, std::vector<InputBatch> batches, bool pinned,
               c10::cuda::CUDAStream stream)
        : m_inputs(std::move(inputs)),
          m_batches(std::move(batches), pinned),
          m_pinned(pinned),
          m_stream(stream)
    {
    }

    void beforePass() override
    {
        const InputBatch& batch = m_batches.next();
        m_begun.record(m_stream.stream());
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            m_inputs[i].copy_(batch[i], m_pinned);
        m_arrived.record(m_stream.stream());
    }
    void afterPass() override {}
    double copySeconds() const override { return m_arrived.secondsSince(m_begun); }

private:
    InputBatch m_inputs;
    Batches m_batches;
    bool m_pinned;
    c10::cuda::CUDAStream m_stream;
    Event m_begun;
    Event m_arrived;
};

// Two places on the device: while a pass works on one batch, the next one is copied to the other
// place on a stream of its own. The pass reads fixed addresses, so that its batch is moved there
// inside the device first.
class CopyBeside final : public InputFeed
{
public:
    CopyBeside(InputBatch inputs, std::vector<InputBatch> batches, c10::cuda::CUDAStream stream)
        : m_inputs(std::move(inputs)),
          m_batches(std::move(batches), true),
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
    double copySeconds() const override { return m_arrived.secondsSince(m_begun); }

private:
    void copyNext()
    {
        const c10::cuda::CUDAStreamGuard guard(m_copies);
        m_taken.blockStream(m_copies.stream());
        m_begun.record(m_copies.stream());
        const InputBatch& batch = m_batches.next();
        for (std::size_t i = 0; i < m_next.size(); ++i)
            m_next[i].copy_(batch[i], true);
        m_arrived.record(m_copies.stream());
    }

    InputBatch m_inputs;
    Batches m_batches;
    InputBatch m_next;
    c10::cuda::CUDAStream m_stream;
    c10::cuda::CUDAStream m_copies;
    Event m_taken;    // the place of the next batch is free
    Event m_begun;    // its copy begins
    Event m_arrived;  // the next batch is there
};

}  // namespace

core::Result<std::unique_ptr<InputFeed>> makeCudaFeed(core::InputResidency residency,
                                                      const InputBatch& inputs,
                                                      std::vector<InputBatch> batches,
                                                      c10::cuda::CUDAStream stream)
{
    switch (residency) {
    case core::InputResidency::Pageable:
        return std::unique_ptr<InputFeed>(
            std::make_unique<CopyBefore>(inputs, std::move(batches), false, stream));
    case core::InputResidency::Pinned:
        return std::unique_ptr<InputFeed>(
            std::make_unique<CopyBefore>(inputs, std::move(batches), true, stream));
    case core::InputResidency::Overlapped:
        return std::unique_ptr<InputFeed>(
            std::make_unique<CopyBeside>(inputs, std::move(batches), stream));
    case core::InputResidency::Device:
        break;
    }
    return core::Error{core::ErrorCode::Unsupported, "inputs on the device need no copies"};
}

}  // namespace qs::engine
