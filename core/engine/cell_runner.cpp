#include "core/engine/cell_runner.h"

#include "core/base/files.h"
#include "core/engine/cell_outputs.h"
#include "core/engine/compile/package_compiler.h"
#include "core/engine/execute/evidence.h"
#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/phase_timer.h"
#include "core/engine/probe/describe.h"
#include "core/engine/probe/memory_self_test.h"
#include "core/engine/quantize/calibrator.h"
#include "core/engine/quantize/checkpoint_writer.h"
#include "core/engine/quantize/layer_inspection.h"
#include "core/engine/weights/storage_audit.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"
#include "core/lower/reference.h"
#include "core/measure/clock_steps.h"
#include "core/measure/sampler.h"
#include "core/measure/tested_memory.h"
#include "core/model/catalogue.h"
#include "core/model/fed_model.h"
#include "core/sweep/cell_member.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace qs::engine {

using core::CellRequest;
using core::CellResult;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// Samples of one pass each that tell how long it takes, before blocks are planned.
constexpr int kPassesToPlanBlocks = 5;
// Of the quality set, that layer reports are made of: each has hundreds of tokens.
constexpr std::int64_t kInspectedSamples = 2;

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

// Of one kind; empty if nothing is to be kept.
std::filesystem::path cacheOf(const CellRequest& request, const char* kind)
{
    if (request.cacheFolder.empty())
        return {};
    return std::filesystem::path(request.cacheFolder) / kind;
}

}  // namespace

// Weights on the device with what they were made for.
struct LoadedWeights {
    std::string key;
    std::vector<StageWeights> stages;
    std::vector<core::StageCalibration> calibration = {};
};

class CellRunner::Impl final
{
public:
    Status run(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        const c10::InferenceMode guard;
        result.began = secondsNow();
        QS_RETURN_IF_ERROR(plan(request, result));
        m_backend->beginCell();
        result.modelContent = m_model->contentId;
        if (request.checkpoint)
            return writeWeights(request, observer, result);
        QS_TRY(const QualitySet pictures, QualitySet::open(request, *m_model->family, m_program));
        QS_RETURN_IF_ERROR(providePackages(request, observer, result));
        QS_RETURN_IF_ERROR(provideWeights(request, &pictures, observer, result));
        chooseAttention(core::parseAttentionKernel(request.config.attention).value());
        QS_TRY(const core::HostTensors inputs,
               pictures.prepared(*m_model->family, 0, request.config.batch));
        m_backend->resetPeaks();
        QS_RETURN_IF_ERROR(compile(inputs, observer, result));
        QS_RETURN_IF_ERROR(prepareSampling(request, result));
        QS_RETURN_IF_ERROR(measure(request, observer, result));
        QS_RETURN_IF_ERROR(spendEnergy(request.measurement, observer, result));
        collectMemory(result);
        {
            const PhaseTimer timer(core::Phase::Outputs, result, observer);
            const auto progressed = [&](double fraction) { return observer.progressed(fraction); };
            QS_RETURN_IF_ERROR(
                writeOutputs(request, *m_model->family, pictures, *m_pipeline, progressed, result));
        }
        m_pipeline.reset();
        m_backend->releaseCache();
        return reportLayers(request, pictures, observer);
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
    Status plan(const CellRequest& request, CellResult& result)
    {
        const core::CellConfig& config = request.config;
        if (!m_backend || m_deviceId != config.device) {
            clear();
            m_backend.reset();
            QS_TRY(m_backend, makeBackend(config.device));
            QS_TRY(m_device, describeDevice(config.device));
            m_deviceId = config.device;
            const PartTimer timer(core::Phase::SelfTest, result);
            m_selfTest = testMemoryCounters(*m_backend);
        }
        QS_TRY(core::OpenedModel opened,
               core::openModel(config.model, request.resourceFolder, config.seed));
        QS_RETURN_IF_ERROR(core::feedModel(opened.model, request.feeding));
        m_model = std::make_unique<core::Model>(std::move(opened.model));
        QS_TRY(m_recipe, core::makeRecipe(*m_model->family, config.precision, config.layers));
        QS_TRY(const auto modes, core::parseCompileModes(config.compile, m_recipe.size()));
        QS_TRY(const core::AttentionKernel kernel, core::parseAttentionKernel(config.attention));
        static_cast<void>(kernel);
        QS_TRY(m_program,
               core::lower(*m_model->family, {m_recipe, {config.batch, config.sizes}, modes}));
        return {};
    }

    // With the content, because the file behind a path may have changed since. What is calibrated
    // depends on the sizes as well.
    [[nodiscard]] std::string keyOfWeights(const CellRequest& request) const
    {
        std::string key = m_model->contentId + "|" + core::weightsKey(request.config);
        if (calibratedStages(m_program).empty())
            return key;
        for (const core::NamedSize& size : request.config.sizes)
            key += "|" + size.name + "=" + std::to_string(size.value);
        return key + "|" + request.runFolder + "|" + request.inputFile + "|" +
               core::jsonText(core::toJson(request.feeding));
    }

    Status writeWeights(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        // Before hours of calibration.
        if (const auto objection = core::formatObjection(*request.checkpoint, m_program.layers))
            return Error{ErrorCode::Unsupported,
                         std::string(core::kCheckpointFormats.of(*request.checkpoint)) + ": " +
                             *objection};
        QS_RETURN_IF_ERROR(provideWeights(request, nullptr, observer, result));
        const PhaseTimer timer(core::Phase::Outputs, result, observer);
        QS_TRY(const std::vector<WrittenFile> files,
               writeCheckpoint({*m_model, m_program, m_weights->stages, m_device},
                               *request.checkpoint,
                               [&](const std::string& name) { return request.output(name); }));
        static_cast<void>(files);
        return {};
    }

    // `pictures`: null where there is no quality set.
    Status provideWeights(const CellRequest& request, const QualitySet* pictures,
                          CellObserver& observer, CellResult& result)
    {
        const std::string key = keyOfWeights(request);
        if (m_weights && m_weights->key == key) {
            result.notes.push_back({core::NoteCode::WeightsKept});
        } else {
            clear();
            m_backend->resetPeaks();
            m_weights = LoadedWeights{key, {}};
            QS_RETURN_IF_ERROR(loadWeights(observer, result));
            QS_TRY(const std::size_t done, calibrate(request, pictures, observer, result));
            QS_RETURN_IF_ERROR(quantize(done, observer, result));
            result.memory.loadAllocatedPeak = m_backend->memory().allocatedPeak;
            m_backend->releaseCache();
        }
        result.calibration = m_weights->calibration;
        for (core::Note& note : calibrationNotes(result.calibration))
            result.notes.push_back(std::move(note));
        result.storage = reportStorage(*m_model, m_recipe, m_weights->stages);
        return {};
    }

    // Before the weights come: the compiler has the device for itself.
    Status providePackages(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        m_packages.assign(m_program.stages.size(), {});
        if (!core::anyPackaged(m_program))
            return {};
        const PhaseTimer timer(core::Phase::Package, result, observer);
        m_compiler.emplace(cacheOf(request, "packages"));
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
            const core::StageProgram& program = m_program.stages[stage];
            if (program.compile->packageMode.empty())
                continue;
            QS_TRY(const core::ReferenceStage reference, core::referenceStage(program, m_device));
            const double done = double(stage) / double(m_program.stages.size());
            QS_TRY(StagePackage package,
                   m_compiler->provide({program.name, reference.graph, program.compile, m_device},
                                       [&] { return observer.progressed(done); }));
            result.compiles.push_back(package.compile);
            m_packages[stage] = std::move(package);
        }
        return {};
    }

    Status loadWeights(CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer(core::Phase::Load, result, observer);
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
            QS_RETURN_IF_ERROR(restoreWeights(weights, *m_model, m_program, stage,
                                              WeightsToRestore::Unquantized, m_backend->device()));
            QS_RETURN_IF_ERROR(foldWeights(weights, m_program.stages[stage], m_backend->device()));
            m_weights->stages.push_back(std::move(weights));
        }
        m_backend->synchronize();
        return {};
    }

    // After all that is timed or counted. What goes wrong with it is none of the cell's, as long as
    // the device lives: the worker's log says it.
    Status reportLayers(const CellRequest& request, const QualitySet& pictures,
                        CellObserver& observer)
    {
        const auto& layers = m_program.layers;
        if (!request.reportLayers ||
            std::none_of(layers.begin(), layers.end(),
                         [](const core::LayerRow& row) { return row.quantized(); }))
            return {};
        chooseAttention(core::AttentionKernel::Auto);
        const InspectionSetup setup{
            *m_model,
            m_recipe,
            request.config,
            m_device,
            m_backend->device(),
            m_weights->stages,
            std::min(kInspectedSamples, pictures.count()),
            [&](std::int64_t number) { return pictures.prepared(*m_model->family, number, 1); }};
        const Status status = catching([&]() -> Status {
            QS_TRY(const core::LayerReport report, inspectLayers(setup, [&](double fraction) {
                       return observer.progressed(fraction);
                   }));
            return core::writeFileAtomically(request.output(core::kLayerReportFile),
                                             core::jsonText(core::toJson(report), 1) + "\n");
        });
        m_backend->releaseCache();
        if (status.ok() || status.error().code == ErrorCode::Cancelled ||
            status.error().code == ErrorCode::Device)
            return status;
        std::fputs(("layers.json was not made: " + status.error().message + "\n").c_str(), stderr);
        return {};
    }

    // How many stages are quantized then.
    Result<std::size_t> calibrate(const CellRequest& request, const QualitySet* pictures,
                                  CellObserver& observer, CellResult& result)
    {
        // What files hold quantized needs no calibration.
        if (calibratedStages(m_program).empty() || !m_model->quantized.empty())
            return std::size_t{0};
        const PhaseTimer timer(core::Phase::Calibrate, result, observer);
        // Cells share what is calibrated, whatever kernel they attend with.
        chooseAttention(core::AttentionKernel::Auto);
        const RunInputs inputs{
            pictures == nullptr ? 0 : pictures->count(),
            [&](std::int64_t number) { return pictures->prepared(*m_model->family, number, 1); }};
        Calibrator calibrator({*m_model, m_recipe, request.config, m_device, m_backend->device(),
                               inputs, CalibrationCache(cacheOf(request, "calibration"))});
        QS_TRY(const std::size_t done, calibrator.run(m_weights->stages, [&](double fraction) {
            return observer.progressed(fraction);
        }));
        m_weights->calibration = calibrator.made();
        m_backend->synchronize();
        return done;
    }

    Status quantize(std::size_t first, CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer(core::Phase::Quantize, result, observer);
        for (std::size_t stage = first; stage < m_program.stages.size(); ++stage) {
            const std::size_t owner = m_model->family->stages()[stage].sharedWith.value_or(stage);
            const QuantizedStage shared{m_program.stages[owner], m_weights->stages[owner]};
            QS_RETURN_IF_ERROR(quantizeWeights(
                m_weights->stages[stage], m_program.stages[stage], m_backend->device(),
                [&](double fraction) { return observer.progressed(fraction); },
                owner == stage ? nullptr : &shared));
        }
        m_backend->synchronize();
        return {};
    }

    Status compile(const core::HostTensors& inputs, CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer(core::Phase::Compile, result, observer);
        QS_TRY(m_pipeline, Pipeline::create(m_program, m_weights->stages, inputs, m_device,
                                            *m_backend, m_packages));
        {
            const PartTimer first(core::Phase::FirstPass, result);
            m_pipeline->run();
        }
        observeStages(result);
        result.attention = m_pipeline->attentionKernel();
        if (core::anyCompiled(m_program)) {
            const PartTimer capture(core::Phase::Capture, result);
            QS_RETURN_IF_ERROR(m_pipeline->prepare());
            noteDistances(result);
        }
        result.executed = executedStages(m_program, m_recipe, m_device, m_pipeline->products());
        const std::vector<core::Note> notes = m_pipeline->notes();
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        result.graphLaunches = m_pipeline->launchesPerPass();
        return {};
    }

    void noteDistances(CellResult& result) const
    {
        const std::vector<double> distances = m_pipeline->distancesToEager();
        for (core::StageCompile& compile : result.compiles) {
            for (std::size_t i = 0; i < m_program.stages.size(); ++i) {
                if (m_program.stages[i].name == compile.stage)
                    compile.distanceToEager = distances[i];
            }
        }
    }

    // One pass, stage by stage: how much memory it took. All that comes later takes
    // as much again, so the peak of the cell loses nothing when peaks are reset here.
    void observeStages(CellResult& result)
    {
        const PartTimer timer(core::Phase::MemoryPass, result);
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
            m_backend->resetPeaks();
            m_pipeline->observe(stage);
            const core::MemoryFigures memory = m_backend->memory();
            result.stages.push_back(
                {m_program.stages[stage].name,
                 {},
                 memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak});
        }
    }

    // Decides how samples are taken: what a pass finds, and how many of them make a block.
    Status prepareSampling(const CellRequest& request, CellResult& result)
    {
        QS_TRY(const core::InputResidency residency,
               core::parseInputResidency(request.config.inputs));
        QS_RETURN_IF_ERROR(m_pipeline->feedFrom(residency));
        const bool cold =
            m_backend->hasDeviceClock() && request.measurement.cache == core::CacheState::Cold;
        m_pipeline->setConditions(1, cold);
        // Fed passes come one by one: their copies are part of what is measured.
        if (m_backend->hasDeviceClock() && residency == core::InputResidency::Device) {
            double shortest = m_pipeline->sample().seconds();
            for (int i = 1; i < kPassesToPlanBlocks; ++i)
                shortest = std::min(shortest, m_pipeline->sample().seconds());
            // Warm, at the clock of later on, a pass may take half as long.
            result.passesPerSample = core::passesPerBlock(0.5 * shortest);
            m_pipeline->setConditions(result.passesPerSample, cold);
        }
        result.conditions = m_pipeline->conditions();
        if (!m_backend->hasDeviceClock() && request.measurement.cache == core::CacheState::Cold)
            result.notes.push_back({core::NoteCode::ColdCacheNeedsGpu});
        return {};
    }

    // What was planned may not have held: see StreamGate.
    void confirmConditions(CellResult& result) const
    {
        const auto conditions = m_pipeline->conditions();
        if (conditions != result.conditions)
            result.notes.push_back({core::NoteCode::GateGivenUp});
        result.conditions = conditions;
    }

    [[nodiscard]] core::SamplingHooks samplingHooks(CellObserver& observer,
                                                    const CellResult& result)
    {
        core::SamplingHooks hooks;
        hooks.passesPerSample = result.passesPerSample;
        hooks.runPass = [this]() -> Result<core::PassSample> { return m_pipeline->sample(); };
        hooks.now = secondsNow;
        hooks.progress = [&observer](core::Phase, double fraction) {
            return observer.progressed(fraction);
        };
        return hooks;
    }

    Status measure(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        std::optional<PhaseTimer> timer(std::in_place, core::Phase::Warmup, result, observer);
        core::SamplingHooks hooks = samplingHooks(observer, result);
        hooks.warm = [&] {
            timer.reset();
            timer.emplace(core::Phase::Measure, result, observer);
        };
        QS_TRY(const core::SamplingOutcome outcome, core::samplePasses(request.measurement, hooks));
        timer.reset();
        takeSamples(outcome, result);
        confirmConditions(result);
        for (core::Note& note : core::clockStepNotes(result))
            result.notes.push_back(std::move(note));
        return {};
    }

    // Passes for the energy counter, which the supervising process reads meanwhile.
    Status spendEnergy(const core::MeasurementSettings& settings, CellObserver& observer,
                       CellResult& result)
    {
        if (settings.energySeconds <= 0.0)
            return {};
        if (!m_backend->hasDeviceClock() || settings.cache == core::CacheState::Cold) {
            // What empties the cache before each pass would count as the work's.
            result.notes.push_back({m_backend->hasDeviceClock() ? core::NoteCode::NoEnergyColdCache
                                                                : core::NoteCode::NoEnergyOnCpu});
            return {};
        }
        const PhaseTimer timer(core::Phase::Energy, result, observer);
        QS_TRY(result.energy,
               core::repeatPasses(settings.energySeconds, samplingHooks(observer, result)));
        result.energy->start -= result.began;
        return {};
    }

    static void takeSamples(const core::SamplingOutcome& outcome, CellResult& result)
    {
        for (const core::PassSample& sample : outcome.samples) {
            result.hostSeconds.push_back(sample.hostSeconds);
            result.sampleStart.push_back(sample.start - result.began);
            if (sample.endToEndSeconds > 0.0)
                result.endToEndSeconds.push_back(sample.endToEndSeconds);
            if (sample.deviceSeconds > 0.0)
                result.deviceSeconds.push_back(sample.deviceSeconds);
            for (std::size_t stage = 0; stage < result.stages.size(); ++stage)
                result.stages[stage].seconds.push_back(sample.stageSeconds.at(stage));
        }
        result.warmupSeconds = outcome.warmupSamples;
        result.warmupPasses = outcome.warmupPasses;
        result.warmupEnd = outcome.warmupEnd;
        result.stopReason = outcome.stopReason;
    }

    void collectMemory(CellResult& result)
    {
        const auto loadPeak = result.memory.loadAllocatedPeak;
        result.memory = m_backend->memory();
        result.memory.loadAllocatedPeak = loadPeak;
        core::applySelfTest(m_selfTest, result);
        result.memory.weightsResident = residentBytes(m_weights->stages);
    }

    std::unique_ptr<Backend> m_backend;
    std::string m_deviceId;
    core::SelfTest m_selfTest;  // of the backend
    std::unique_ptr<core::Model> m_model;
    core::Recipe m_recipe;
    core::DeviceDescription m_device;
    core::Program m_program;
    std::optional<PackageCompiler> m_compiler;
    std::vector<StagePackage> m_packages;  // per stage
    std::optional<LoadedWeights> m_weights;
    std::unique_ptr<Pipeline> m_pipeline;
};

CellRunner::CellRunner() : m_impl(std::make_unique<Impl>())
{
    // PyTorch lets cuDNN round float32 convolutions to TF32 unless it is told not to; fp32 means
    // fp32. The executor allows it for the operations of the scheme tf32.
    at::globalContext().setAllowTF32CuDNN(false);
}
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
