#include "core/engine/internal/backend.h"

#include "core/base/files.h"
#include "core/device/host_memory.h"

#include <charconv>
#include <chrono>

namespace qs::engine {

namespace {

using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

class CpuBackend final : public Backend
{
public:
    c10::Device device() const override { return c10::Device(c10::kCPU); }
    void synchronize() override {}
    bool isLost() noexcept override { return false; }

    core::PassSample timeSample(const SamplePlan& plan) override
    {
        core::PassSample sample;
        if (plan.nextBatch)
            plan.nextBatch();
        const auto begin = Clock::now();
        auto last = begin;
        for (const auto& step : plan.steps) {
            step();
            const auto now = Clock::now();
            sample.stageSeconds.push_back(secondsBetween(last, now));
            last = now;
        }
        sample.hostSeconds = secondsBetween(begin, last);
        return sample;
    }

    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>&) override
    {
        return core::Error{core::ErrorCode::Unsupported, "CUDA graphs need an NVIDIA GPU"};
    }

    void beginCell() override {}

    void resetPeaks() override
    {
        // Writing 5 makes the kernel forget the peak of the resident set (proc(5), clear_refs).
        m_forgets = core::writeTextToExisting("/proc/self/clear_refs", "5").ok();
    }

    core::MemoryFigures memory() override
    {
        core::MemoryFigures figures;
        // A peak that could not be forgotten is that of something before.
        if (m_forgets)
            figures.processPeak = core::residentMemory("VmHWM");
        return figures;
    }

    void releaseCache() override {}

    bool holdsStreams() const override { return false; }
    bool hasDeviceClock() const override { return false; }

    core::Result<std::unique_ptr<InputFeed>> makeFeed(core::InputResidency, const InputBatch&,
                                                      std::vector<InputBatch>) override
    {
        return core::Error{core::ErrorCode::Unsupported,
                           "input copies need a CUDA device; the CPU reads inputs in place"};
    }

    core::MemoryCounters memoryCounters() override
    {
        // The peak is what rows show, and it begins at what there is now. Cells forget it anew.
        resetPeaks();
        return {std::nullopt, std::nullopt, memory().processPeak};
    }

    std::int64_t freeMemory() override { return core::freeHostMemory(); }

    std::shared_ptr<void> takeBlock(std::int64_t bytes) override
    {
        // Not by PyTorch's allocator, which would write it a second time, page by page.
        return core::takeHostBlock(static_cast<std::size_t>(bytes));
    }

private:
    bool m_forgets = true;
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

core::Result<std::unique_ptr<Backend>> makeBackend(const std::string& deviceId)
{
    if (deviceId == "cpu")
        return makeCpuBackend();
    static constexpr std::string_view kCuda = "cuda:";
    if (deviceId.starts_with(kCuda)) {
        int index = -1;
        const char* end = deviceId.data() + deviceId.size();
        const auto [next, error] = std::from_chars(deviceId.data() + kCuda.size(), end, index);
        if (error == std::errc() && next == end && index >= 0)
            return makeCudaBackend(index);
    }
    return core::Error{core::ErrorCode::InvalidArgument,
                       "\"" + deviceId + "\" is not a device; use cpu or cuda:0"};
}

}  // namespace qs::engine
