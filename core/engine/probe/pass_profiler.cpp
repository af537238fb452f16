#include "core/engine/probe/pass_profiler.h"

#include "core/engine/internal/backend.h"

#include <ATen/record_function.h>
#include <kineto/ActivityType.h>
#include <kineto/libkineto.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qs::engine {

using core::KernelEvent;
using core::WorkKind;
using torch::autograd::profiler::KinetoEvent;
using torch::autograd::profiler::ProfilerResult;

namespace {

constexpr int kPasses = 3;
// A GPU that has rested is faster than in the samples, by a tenth where they are held down by its
// power limit: it works for so long before, in no more passes.
constexpr double kWarmSeconds = 0.25;
constexpr int kMostWarmPasses = 20;
// Between these passes and those that are looked at: the clocks of host and GPU differ by less.
constexpr std::chrono::milliseconds kPause{2};
// Of the scopes that operations run in while their kinds are learned.
constexpr std::string_view kMark = "qs operation ";
// Of the scope around the passes that are looked at.
constexpr const char* kPassesMark = "qs passes";

// What modules the layers have that a scheme of ours computes, per stage.
using QuantizedModules = std::vector<std::set<std::string>>;

QuantizedModules quantizedModules(const core::Program& program)
{
    QuantizedModules modules(program.stages.size());
    for (const core::LayerRow& row : program.layers) {
        for (std::size_t i = 0; i < program.stages.size(); ++i) {
            if (row.quantized() && row.stage == i)
                modules[i].insert(row.module);
        }
    }
    return modules;
}

WorkKind kindOf(const core::Node& node, const std::set<std::string>& quantized)
{
    using enum core::OperationClass;
    switch (node.operation->operationClass) {
    case Linear:
    case Convolution:
    case Matmul:
        return WorkKind::Product;
    case Attention:
        return WorkKind::Attention;
    case Elementwise:
    case Reduction:
        return quantized.contains(node.module) ? WorkKind::Quantize : WorkKind::Elementwise;
    case View:
    case Copy:
    case Gather:
    case Scatter:
        return quantized.contains(node.module) ? WorkKind::Quantize : WorkKind::Copy;
    }
    return WorkKind::Unknown;
}

// Kineto writes an error wherever it begins in another thread than the one that has loaded it,
// which registers a client; the client has nothing to begin.
void beginKinetoHere()
{
    static std::once_flag once;
    std::call_once(once, [] { libkineto::api().registerClient(libkineto::api().client()); });
}

class Profiling final
{
public:
    explicit Profiling(bool gpu) : m_activities{torch::profiler::impl::ActivityType::CPU}
    {
        beginKinetoHere();
        if (gpu)
            m_activities.insert(torch::profiler::impl::ActivityType::CUDA);
        torch::autograd::profiler::prepareProfiler(m_config, m_activities);
        torch::autograd::profiler::enableProfiler(m_config, m_activities);
    }
    ~Profiling()
    {
        if (!m_ended)
            static_cast<void>(torch::autograd::profiler::disableProfiler());
    }
    Profiling(const Profiling&) = delete;
    Profiling& operator=(const Profiling&) = delete;

    [[nodiscard]] std::unique_ptr<ProfilerResult> end()
    {
        m_ended = true;
        return torch::autograd::profiler::disableProfiler();
    }

private:
    torch::profiler::impl::ProfilerConfig m_config{torch::profiler::impl::ProfilerState::KINETO};
    std::set<torch::profiler::impl::ActivityType> m_activities;
    bool m_ended = false;
};

double secondsOf(std::uint64_t nanoseconds, std::uint64_t origin)
{
    // Times since 1970 would lose their nanoseconds in a double.
    return static_cast<double>(static_cast<std::int64_t>(nanoseconds - origin)) * 1e-9;
}

bool isKernel(const KinetoEvent& event)
{
    const auto type = static_cast<libkineto::ActivityType>(event.activityType());
    return type == libkineto::ActivityType::CONCURRENT_KERNEL ||
           type == libkineto::ActivityType::GPU_MEMCPY ||
           type == libkineto::ActivityType::GPU_MEMSET;
}

bool isOperation(const KinetoEvent& event)
{
    return static_cast<libkineto::ActivityType>(event.activityType()) ==
           libkineto::ActivityType::CPU_OP;
}

bool isMark(const KinetoEvent& event)
{
    return static_cast<libkineto::ActivityType>(event.activityType()) ==
               libkineto::ActivityType::USER_ANNOTATION &&
           event.name().starts_with(kMark);
}

// The operations that no other one called, in order of their start.
std::vector<const KinetoEvent*> outermost(const std::vector<KinetoEvent>& events)
{
    std::vector<const KinetoEvent*> operations;
    for (const KinetoEvent& event : events) {
        if (isOperation(event))
            operations.push_back(&event);
    }
    std::sort(operations.begin(), operations.end(), [](const auto* a, const auto* b) {
        return a->startNs() != b->startNs() ? a->startNs() < b->startNs()
                                            : a->durationNs() > b->durationNs();
    });
    std::uint64_t end = 0;
    std::erase_if(operations, [&](const KinetoEvent* event) {
        if (event->startNs() < end)
            return true;
        end = event->startNs() + event->durationNs();
        return false;
    });
    return operations;
}

// Kernels of a GPU, or operations of a CPU, by their start.
std::vector<const KinetoEvent*> workOf(const ProfilerResult& result, bool gpu)
{
    if (!gpu)
        return outermost(result.events());
    std::vector<const KinetoEvent*> kernels;
    for (const KinetoEvent& event : result.events()) {
        if (isKernel(event))
            kernels.push_back(&event);
    }
    std::sort(kernels.begin(), kernels.end(),
              [](const auto* a, const auto* b) { return a->startNs() < b->startNs(); });
    return kernels;
}

// Finds the scope of ours that something ran in, or was launched from.
class Marks final
{
public:
    explicit Marks(const std::vector<KinetoEvent>& events)
    {
        for (const KinetoEvent& event : events) {
            if (isMark(event))
                m_marks.emplace_back(event.startNs(),
                                     std::stoul(event.name().substr(kMark.size())));
            else if (isOperation(event))
                m_operations.emplace(event.correlationId(), event.startNs());
        }
        std::sort(m_marks.begin(), m_marks.end());
    }

    [[nodiscard]] std::optional<std::size_t> of(const KinetoEvent& event, bool gpu) const
    {
        std::uint64_t start = event.startNs();
        if (gpu) {
            const auto launcher = m_operations.find(event.linkedCorrelationId());
            if (launcher == m_operations.end())
                return std::nullopt;
            start = launcher->second;
        }
        const auto after = std::upper_bound(
            m_marks.begin(), m_marks.end(), start,
            [](std::uint64_t time, const auto& mark) { return time < mark.first; });
        return after == m_marks.begin() ? std::nullopt : std::optional(std::prev(after)->second);
    }

private:
    std::vector<std::pair<std::uint64_t, std::size_t>> m_marks;     // start, number
    std::unordered_map<std::uint64_t, std::uint64_t> m_operations;  // start by correlation
};

// The operations of all stages, each in a scope of its own that is numbered.
class MarkedStages final
{
public:
    explicit MarkedStages(const core::Program& program) : m_modules(quantizedModules(program)) {}

    void run(Pipeline& pipeline, std::size_t stages)
    {
        for (std::size_t stage = 0; stage < stages; ++stage) {
            open();
            pipeline.runNoted(stage, [&](const core::Node& node, const std::vector<at::Tensor>&) {
                m_kinds.push_back(kindOf(node, m_modules[stage]));
                open();
            });
            m_scope.reset();
        }
    }

    [[nodiscard]] WorkKind kind(const std::optional<std::size_t>& number) const
    {
        return number && *number < m_kinds.size() ? m_kinds[*number] : WorkKind::Unknown;
    }

private:
    void open()
    {
        m_scope.reset();
        m_scope.emplace(at::RecordScope::USER_SCOPE);
        m_scope->before(std::string(kMark) + std::to_string(m_kinds.size()));
    }

    QuantizedModules m_modules;
    std::vector<WorkKind> m_kinds;  // by the number of the scope
    std::optional<at::RecordFunction> m_scope;
};

// What ran from a moment on.
std::vector<KernelEvent> eventsOf(const ProfilerResult& result, bool gpu, std::uint64_t from = 0)
{
    std::vector<KernelEvent> events;
    for (const KinetoEvent* event : workOf(result, gpu)) {
        if (event->startNs() < from)
            continue;
        events.push_back({.name = event->name(),
                          .kind = WorkKind::Unknown,
                          .start = secondsOf(event->startNs(), result.trace_start_ns()),
                          .seconds = static_cast<double>(event->durationNs()) * 1e-9});
    }
    return events;
}

void warmUp(Pipeline& pipeline, Backend& backend)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int pass = 0; pass < kMostWarmPasses; ++pass) {
        pipeline.run();
        backend.synchronize();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        if (taken.count() > kWarmSeconds)
            break;
    }
    std::this_thread::sleep_for(kPause);
}

// A moment in the pause before the passes that are looked at.
std::uint64_t beginOf(const ProfilerResult& result)
{
    const std::chrono::nanoseconds half = kPause / 2;
    for (const KinetoEvent& event : result.events()) {
        if (event.name() == kPassesMark)
            return event.startNs() - static_cast<std::uint64_t>(half.count());
    }
    return 0;
}

// The work of one pass with its kinds, as far as stages are made of operations.
std::vector<KernelEvent> knownKinds(Pipeline& pipeline, const core::Program& program,
                                    Backend& backend, bool gpu)
{
    MarkedStages marked(program);
    Profiling profiling(gpu);
    marked.run(pipeline, program.stages.size());
    backend.synchronize();
    const auto result = profiling.end();
    const Marks marks(result->events());
    std::vector<KernelEvent> events = eventsOf(*result, gpu);
    const std::vector<const KinetoEvent*> work = workOf(*result, gpu);
    for (std::size_t i = 0; i < work.size(); ++i)
        events[i].kind = marked.kind(marks.of(*work[i], gpu));
    std::erase_if(events, [](const KernelEvent& event) { return event.kind == WorkKind::Unknown; });
    return events;
}

}  // namespace

core::Result<core::PassProfile> profilePasses(Pipeline& pipeline, const core::Program& program,
                                              Backend& backend)
{
    // Kineto talks on stderr, which is the log of the worker.
    ::setenv("KINETO_LOG_LEVEL", "99", /*overwrite=*/0);
    const bool gpu = backend.hasDeviceClock();
    pipeline.resetStates();
    const std::vector<KernelEvent> known = knownKinds(pipeline, program, backend, gpu);
    pipeline.resetStates();
    Profiling profiling(gpu);
    if (gpu)
        warmUp(pipeline, backend);
    {
        at::RecordFunction passes(at::RecordScope::USER_SCOPE);
        passes.before(kPassesMark);
        for (int pass = 0; pass < kPasses; ++pass)
            pipeline.run();
        backend.synchronize();
    }
    const auto result = profiling.end();
    pipeline.resetStates();
    std::vector<KernelEvent> events = eventsOf(*result, gpu, beginOf(*result));
    core::takeKinds(events, known);
    return core::profileOf(events, kPasses);
}

}  // namespace qs::engine
