#include "core/engine/cell_runner.h"

#include "core/base/sha256.h"
#include "core/engine/execute/evidence.h"
#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/probe/describe.h"
#include "core/engine/weights/storage_audit.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"
#include "core/measure/sampler.h"
#include "core/model/catalogue.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace qs::engine {

using core::CellRequest;
using core::CellResult;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Announces a phase at once and adds its time to the result at the end of its life.
class PhaseTimer final
{
public:
    PhaseTimer(std::string name, CellResult& result, CellObserver& observer)
        : m_name(std::move(name)), m_result(result), m_begin(now())
    {
        observer.phaseStarted(m_name);
    }
    ~PhaseTimer() { m_result.phases.push_back({m_name, now() - m_begin}); }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

private:
    std::string m_name;
    CellResult& m_result;
    double m_begin;
};

void chooseAttention(core::AttentionKernel kernel)
{
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

// Pictures first … first + count - 1 of the set, fewer at its end. The pipeline repeats them to
// fill a batch, so that every batch holds real pictures.
core::FloatArray takePictures(const core::FloatArray& set, std::int64_t first, std::int64_t count)
{
    const std::int64_t size = set.shape[1] * set.shape[2] * set.shape[3];
    const std::int64_t taken = std::min(count, set.shape[0] - first);
    return {{taken, set.shape[1], set.shape[2], set.shape[3]},
            {set.values.begin() + first * size, set.values.begin() + (first + taken) * size}};
}

Result<core::FloatArray> readPictures(const CellRequest& request)
{
    QS_TRY(core::FloatArray set, core::readNpy(request.inputFile));
    const auto& shape = set.shape;
    if (shape.size() != 4 || shape[0] < 1 || shape[1] != 3 ||
        shape[2] != request.config.imageSize || shape[3] != request.config.imageSize)
        return Error{ErrorCode::InvalidArgument,
                     request.inputFile + " does not hold pictures [n, 3, " +
                         std::to_string(request.config.imageSize) + ", " +
                         std::to_string(request.config.imageSize) + "]"};
    return set;
}

}  // namespace

// Weights on the device with what they were made for.
struct LoadedWeights {
    std::string key;
    std::vector<StageWeights> stages;
};

class CellRunner::Impl final
{
public:
    Status run(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        const c10::InferenceMode guard;
        QS_RETURN_IF_ERROR(plan(request));
        result.modelContent = m_model->contentId;
        QS_TRY(const core::FloatArray pictures, readPictures(request));
        QS_RETURN_IF_ERROR(provideWeights(request, observer, result));
        chooseAttention(core::parseAttentionKernel(request.config.attention).value());
        QS_TRY(const core::HostTensors inputs,
               m_model->family->prepare(takePictures(pictures, 0, request.config.batch)));
        m_backend->resetPeaks();
        QS_RETURN_IF_ERROR(compile(inputs, observer, result));
        QS_RETURN_IF_ERROR(measure(request, observer, result));
        collectMemory(result);
        QS_RETURN_IF_ERROR(writeOutputs(request, pictures, observer, result));
        m_pipeline.reset();
        return {};
    }

    // After a failure nothing of the cell may stay: the next one must see an empty device.
    void clear()
    {
        m_pipeline.reset();
        m_weights.reset();
        if (m_backend)
            m_backend->releaseCache();
    }

private:
    Status plan(const CellRequest& request)
    {
        const core::CellConfig& config = request.config;
        if (!m_backend || m_deviceId != config.device) {
            clear();
            m_backend.reset();
            QS_TRY(m_backend, makeBackend(config.device));
            m_deviceId = config.device;
        }
        QS_TRY(core::OpenedModel opened,
               core::openModel(config.model, request.resourceFolder, config.seed));
        m_model = std::make_unique<core::Model>(std::move(opened.model));
        QS_TRY(m_recipe, core::makeRecipe(*m_model->family, config.precision, config.layers));
        QS_TRY(m_mode, core::parseCompileMode(config.compile));
        QS_TRY(const core::AttentionKernel kernel, core::parseAttentionKernel(config.attention));
        static_cast<void>(kernel);
        core::DeviceDescription description;
        description.kind = config.device == "cpu" ? core::DeviceKind::Cpu : core::DeviceKind::Cuda;
        QS_TRY(m_program, core::lower(*m_model->family,
                                      {m_recipe, {config.batch, config.imageSize}, description}));
        return {};
    }

    Status provideWeights(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        // With the content, because the file behind a path may have changed since.
        const std::string key = m_model->contentId + "|" + core::weightsKey(request.config);
        if (m_weights && m_weights->key == key) {
            result.notes.emplace_back("weights kept from an earlier cell");
        } else {
            clear();
            m_backend->resetPeaks();
            m_weights = LoadedWeights{key, {}};
            QS_RETURN_IF_ERROR(loadWeights(observer, result));
            QS_RETURN_IF_ERROR(quantize(observer, result));
            result.memory.loadAllocatedPeak = m_backend->memory().allocatedPeak;
            m_backend->releaseCache();
        }
        result.storage = reportStorage(*m_model, m_recipe, m_weights->stages);
        return {};
    }

    Status loadWeights(CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer("load", result, observer);
        QS_TRY(WeightLoader loader, WeightLoader::create(*m_model, m_backend->device()));
        const double stageCount = static_cast<double>(m_program.stages.size());
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
            QS_TRY(StageWeights weights,
                   loader.load(stage, m_program.stages[stage].workingType,
                               [&](std::int64_t done, std::int64_t total) {
                                   const double part =
                                       static_cast<double>(done) / static_cast<double>(total);
                                   return observer.progressed((static_cast<double>(stage) + part) /
                                                              stageCount);
                               }));
            m_weights->stages.push_back(std::move(weights));
        }
        m_backend->synchronize();
        return {};
    }

    Status quantize(CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer("quantize", result, observer);
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage)
            QS_RETURN_IF_ERROR(quantizeWeights(
                m_weights->stages[stage], m_program.stages[stage], m_backend->device(),
                [&](double fraction) { return observer.progressed(fraction); }));
        m_backend->synchronize();
        return {};
    }

    Status compile(const core::HostTensors& inputs, CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer("compile", result, observer);
        QS_TRY(m_pipeline, Pipeline::create(m_program, m_weights->stages, inputs, *m_backend));
        const double begin = now();
        static_cast<void>(m_pipeline->pass());
        result.phases.push_back({"first", now() - begin});
        const OperationCounts counts = observeStages(result);
        std::vector<std::string> notes = std::move(result.notes);
        describeExecution(m_program, m_recipe, counts, result);
        result.notes.insert(result.notes.end(), notes.begin(), notes.end());
        result.attention = m_pipeline->attentionKernel();
        if (m_mode == core::CompileMode::CudaGraph)
            QS_RETURN_IF_ERROR(m_pipeline->record());
        result.graphLaunches = m_pipeline->launchesPerPass();
        return {};
    }

    // One pass, stage by stage: what ran, and how much memory it took. All that comes later takes
    // as much again, so the peak of the cell loses nothing when peaks are reset here.
    OperationCounts observeStages(CellResult& result)
    {
        OperationCounts counts;
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
            m_backend->resetPeaks();
            counts.push_back(m_pipeline->countOperations(stage));
            const core::MemoryFigures memory = m_backend->memory();
            result.stages.push_back(
                {m_program.stages[stage].name,
                 {},
                 memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak});
        }
        return counts;
    }

    Status measure(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        std::optional<PhaseTimer> timer(std::in_place, "warmup", result, observer);
        core::SamplingHooks hooks;
        hooks.runPass = [&]() -> Result<core::PassSample> { return m_pipeline->pass(); };
        hooks.now = now;
        hooks.progress = [&](const std::string&, double fraction) {
            return observer.progressed(fraction);
        };
        hooks.warm = [&] {
            timer.reset();
            timer.emplace("measure", result, observer);
        };
        QS_TRY(const core::SamplingOutcome outcome, core::samplePasses(request.measurement, hooks));
        timer.reset();
        for (const core::PassSample& sample : outcome.samples) {
            result.hostSeconds.push_back(sample.hostSeconds);
            if (sample.deviceSeconds > 0.0)
                result.deviceSeconds.push_back(sample.deviceSeconds);
            for (std::size_t stage = 0; stage < result.stages.size(); ++stage)
                result.stages[stage].seconds.push_back(sample.stageSeconds.at(stage));
        }
        result.warmupPasses = outcome.warmupPasses;
        result.warmupEnd = outcome.warmupEnd;
        result.stopReason = outcome.stopReason;
        return {};
    }

    void collectMemory(CellResult& result)
    {
        const auto loadPeak = result.memory.loadAllocatedPeak;
        result.memory = m_backend->memory();
        result.memory.loadAllocatedPeak = loadPeak;
        for (const StageWeights& weights : m_weights->stages)
            result.memory.weightsResident += weights.residentBytes();
    }

    // The quality set through the very pipeline that was timed, in chunks of the cell's batch.
    Status writeOutputs(const CellRequest& request, const core::FloatArray& pictures,
                        CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer("outputs", result, observer);
        const std::int64_t batch = request.config.batch;
        const std::int64_t count = pictures.shape[0];
        for (std::int64_t first = 0; first < count; first += batch) {
            QS_TRY(const core::HostTensors inputs,
                   m_model->family->prepare(takePictures(pictures, first, batch)));
            m_pipeline->setInputs(inputs);
            static_cast<void>(m_pipeline->pass());
            QS_TRY(
                const core::FloatArray output,
                m_model->family->present(m_pipeline->output(), {batch, request.config.imageSize}));
            for (std::int64_t i = 0; i < std::min(batch, count - first); ++i)
                QS_RETURN_IF_ERROR(
                    recordOutput(request, output, i, static_cast<int>(first + i), result));
            if (!observer.progressed(static_cast<double>(first + batch) /
                                     static_cast<double>(count)))
                return Error{ErrorCode::Cancelled, "stopped while outputs were written"};
        }
        return {};
    }

    static Status recordOutput(const CellRequest& request, const core::FloatArray& batch,
                               std::int64_t index, int picture, CellResult& result)
    {
        core::FloatArray one{{batch.shape[1], batch.shape[2], batch.shape[3]}, {}};
        const std::int64_t size = batch.shape[1] * batch.shape[2] * batch.shape[3];
        one.values.assign(batch.values.begin() + index * size,
                          batch.values.begin() + (index + 1) * size);
        result.outputsFinite =
            result.outputsFinite && std::all_of(one.values.begin(), one.values.end(),
                                                [](float value) { return std::isfinite(value); });
        core::Sha256 hash;
        hash.update(std::as_bytes(std::span(one.values)));
        core::OutputRecord record{picture, {}, hash.hex()};
        if (picture < request.keptOutputs) {
            record.file = "output_" + std::to_string(picture) + ".npy";
            QS_RETURN_IF_ERROR(
                core::writeNpy(std::filesystem::path(request.outputFolder) / record.file, one));
        }
        result.outputs.push_back(std::move(record));
        return {};
    }

    std::unique_ptr<Backend> m_backend;
    std::string m_deviceId;
    std::unique_ptr<core::Model> m_model;
    core::Recipe m_recipe;
    core::CompileMode m_mode = core::CompileMode::None;
    core::Program m_program;
    std::optional<LoadedWeights> m_weights;
    std::unique_ptr<Pipeline> m_pipeline;
};

CellRunner::CellRunner() : m_impl(std::make_unique<Impl>()) {}
CellRunner::~CellRunner() = default;

Result<CellResult> CellRunner::run(const CellRequest& request, CellObserver& observer)
{
    CellResult result;
    const Status status = catching([&] { return m_impl->run(request, observer, result); });
    if (status.ok())
        return result;
    // A device that is lost cannot be cleared; its process has to end.
    if (status.error().code != ErrorCode::Device)
        static_cast<void>(catching([&] {
                              m_impl->clear();
                              return Status();
                          }).ok());
    return status.error();
}

}  // namespace qs::engine
