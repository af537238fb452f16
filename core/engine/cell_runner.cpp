#include "core/engine/cell_runner.h"

#include "core/base/files.h"
#include "core/engine/cell_kernels.h"
#include "core/engine/cell_outputs.h"
#include "core/engine/cell_packages.h"
#include "core/engine/cell_quantizing.h"
#include "core/engine/cell_sampling.h"
#include "core/engine/cell_weights.h"
#include "core/engine/compile/eager_comparison.h"
#include "core/engine/execute/attention_choice.h"
#include "core/engine/execute/axis_effects.h"
#include "core/engine/execute/evidence.h"
#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/torch_types.h"
#include "core/engine/phase_timer.h"
#include "core/engine/probe/describe.h"
#include "core/engine/probe/memory_self_test.h"
#include "core/engine/probe/pass_profiler.h"
#include "core/engine/quantize/checkpoint_check.h"
#include "core/engine/quantize/layer_inspection.h"
#include "core/measure/fused_layers.h"
#include "core/measure/tested_memory.h"
#include "core/model/fed_model.h"
#include "core/quant/checked_model.h"
#include "core/sweep/cell_workload.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace qs::engine {

using core::CellRequest;
using core::CellResult;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// Of the quality set, that layer reports are made of: each has hundreds of tokens.
constexpr std::int64_t kInspectedSamples = 2;

}  // namespace

class CellRunner::Impl final
{
public:
    Status run(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        const c10::InferenceMode guard;
        result.began = secondsNow();
        QS_RETURN_IF_ERROR(plan(request, result));
        m_backend->beginCell();
        result.modelContent = m_cell.model->contentId;
        m_compiler.emplace(cacheOf(request, "packages"), request.compiler);
        m_backend->keepKernels(cacheOf(request, "kernels"));
        if (request.checkpoint)
            return writeWeights(request, observer, result);
        QS_TRY(const SampleSet pictures,
               SampleSet::quality(request, *m_cell.model->family, m_cell.program));
        m_largestIds = pictures.largestIds();
        QS_TRY(m_packages, providePackages(m_cell, request, *m_compiler, observer, result));
        QS_TRY(m_cell.rounders, provideRounders(m_cell, *m_backend, *m_compiler, observer, result));
        const bool quantizes = core::isQuantizing(request.config);
        const WeightsDemand demand{m_cell, request, &pictures, *m_backend, observer, result};
        QS_RETURN_IF_ERROR(quantizes ? sampleQuantizing(demand, m_weights)
                                     : m_weights.provide(demand));
        if (quantizes)
            collectMemory(result);
        applyAxes(request.config);
        QS_TRY(const core::HostTensors inputs,
               pictures.prepared(*m_cell.model->family, 0, request.config.batch));
        QS_RETURN_IF_ERROR(makeKernels(m_cell, m_weights.stages(), m_packages, inputs, *m_backend,
                                       observer, result));
        m_backend->resetPeaks();
        QS_RETURN_IF_ERROR(compile(request, inputs, observer, result));
        if (!quantizes) {
            QS_RETURN_IF_ERROR(sampleCell({*m_pipeline, pictures, *m_cell.model->family, *m_backend,
                                           request, observer, result}));
            collectMemory(result);
        }
        {
            const PhaseTimer timer(core::Phase::Outputs, result, observer);
            const auto progressed = [&](double fraction) { return observer.progressed(fraction); };
            QS_RETURN_IF_ERROR(writeOutputs(
                {request, m_cell, m_weights.stages(), pictures, *m_pipeline, *m_backend},
                progressed, result));
        }
        // The pipeline is the quantized model: of a cell that quantizes it is not what is timed.
        if (request.profile && !quantizes)
            QS_RETURN_IF_ERROR(profile(observer, result));
        m_pipeline.reset();
        m_backend->releaseCache();
        return reportLayers(request, pictures, observer, result);
    }

    // A table whose rows the graph does not tell of an input has fewer of them than it asks for.
    Error beyondTable(const std::string& message) const
    {
        std::string inputs;
        for (const auto& [name, id] : m_largestIds)
            inputs += (inputs.empty() ? "input " : ", input ") + name + " has numbers up to " +
                      std::to_string(id);
        if (inputs.empty())
            return {ErrorCode::Internal, message};
        return {ErrorCode::InvalidArgument,
                message + ": a table of the model has no such row; " + inputs +
                    ". Feed what the model has: ids of its own tokenizer, or INPUT=uniform:range=" +
                    "0..HIGHEST"};
    }

    // What failed without a type may have failed because the device is lost.
    Error typed(Error error) const
    {
        if (error.code == ErrorCode::Internal && m_backend && m_backend->isLost())
            error.code = ErrorCode::Device;
        return error;
    }

    // After a failure nothing of the cell may stay: the next one must see an empty device.
    void clear()
    {
        m_pipeline.reset();
        m_weights.release();
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
            QS_TRY(m_cell.device, describeDevice(config.device));
            m_deviceId = config.device;
            const PartTimer timer(core::Phase::SelfTest, result);
            m_selfTest = testMemoryCounters(*m_backend);
        }
        QS_TRY(core::OpenedModel opened,
               core::openCheckedModel(config.model, request.resourceFolder, config.seed));
        QS_RETURN_IF_ERROR(core::feedModel(opened.model, request.feeding));
        m_cell.model = std::make_unique<core::Model>(std::move(opened.model));
        QS_TRY(m_cell.recipe,
               core::makeRecipe(*m_cell.model->family, config.precision, config.layers));
        QS_TRY(const auto modes, core::parseCompileModes(config.compile, m_cell.recipe.size()));
        QS_TRY(const core::AttentionKernel kernel, core::parseAttentionKernel(config.attention));
        static_cast<void>(kernel);
        m_cell.shape = {config.batch, config.sizes};
        QS_TRY(m_cell.program,
               core::lower(*m_cell.model->family, {m_cell.recipe, m_cell.shape, modes}));
        return {};
    }

    Status writeWeights(const CellRequest& request, CellObserver& observer, CellResult& result)
    {
        // Before hours of calibration.
        if (const auto objection =
                core::formatObjection(*request.checkpoint, m_cell.program.layers))
            return Error{ErrorCode::Unsupported,
                         std::string(core::kCheckpointFormats.of(*request.checkpoint)) + ": " +
                             *objection};
        QS_TRY(m_cell.rounders, provideRounders(m_cell, *m_backend, *m_compiler, observer, result));
        QS_RETURN_IF_ERROR(
            m_weights.provide({m_cell, request, nullptr, *m_backend, observer, result}));
        const PhaseTimer timer(core::Phase::Outputs, result, observer);
        const QuantizedModel quantized{*m_cell.model, m_cell.program, m_weights.stages(),
                                       m_cell.device};
        const auto places = [&](const std::string& name) { return request.output(name); };
        const auto written = writeCheckpoint(quantized, *request.checkpoint, places);
        return written.ok() ? compareCheckpoint(quantized, *request.checkpoint, places)
                            : written.error();
    }

    // After all that is timed or counted. What goes wrong with it is none of the cell's, as long as
    // the device lives: the worker's log says it.
    Status reportLayers(const CellRequest& request, const SampleSet& pictures,
                        CellObserver& observer, const CellResult& result)
    {
        const auto& layers = m_cell.program.layers;
        if (!request.reportLayers ||
            std::none_of(layers.begin(), layers.end(),
                         [](const core::LayerRow& row) { return row.quantized(); }))
            return {};
        chooseAttention(core::AttentionKernel::Auto);
        const InspectionSetup setup{*m_cell.model,
                                    m_cell.recipe,
                                    request.config,
                                    m_cell.device,
                                    m_backend->device(),
                                    m_weights.stages(),
                                    std::min(kInspectedSamples, pictures.count()),
                                    [&](std::int64_t number) {
                                        return pictures.prepared(*m_cell.model->family, number, 1);
                                    },
                                    result.calibration};
        const Status status = catching([&]() -> Status {
            QS_TRY(core::LayerReport report, inspectLayers(setup, [&](double fraction) {
                       return observer.progressed(fraction);
                   }));
            core::noteExecuted(result.executed, report);
            core::noteFused(result.compiles, result.notes, report);
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

    // As above: a cell whose profile cannot be made is none the worse.
    Status profile(CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer(core::Phase::Profile, result, observer);
        const Status status = catching([&]() -> Status {
            QS_TRY(result.profile, profilePasses(*m_pipeline, m_cell.program, *m_backend));
            return timeParts(result);
        });
        if (status.ok() || status.error().code == ErrorCode::Device)
            return status;
        std::fputs(("no profile was made: " + status.error().message + "\n").c_str(), stderr);
        return {};
    }

    // Parts stand in the result in the order of their packages, and so do whole stages, which have
    // no part.
    Status timeParts(CellResult& result)
    {
        QS_TRY(const std::vector<core::PartTime> times, m_pipeline->timeParts());
        auto time = times.begin();
        for (core::StageCompile& compile : result.compiles) {
            if (!compile.part.empty() && time != times.end())
                compile.time = *time++;
        }
        return {};
    }

    Status compile(const CellRequest& request, const core::HostTensors& inputs,
                   CellObserver& observer, CellResult& result)
    {
        const PhaseTimer timer(core::Phase::Compile, result, observer);
        QS_TRY(m_pipeline,
               Pipeline::create(m_cell.program, m_weights.stages(), inputs, m_cell.device,
                                *m_backend, m_packages, request.bf16FromFp32));
        {
            const PartTimer first(core::Phase::FirstPass, result);
            QS_RETURN_IF_ERROR(m_pipeline->firstPass());
        }
        // As rows that are padded: memory that the kernels of this device take beside the codes.
        result.storage.logicalBytes += m_pipeline->layoutBytes();
        result.storage.storageBytes += m_pipeline->layoutBytes();
        observeStages(result);
        result.attention = m_pipeline->attentionKernel();
        if (core::anyCompiled(m_cell.program)) {
            const PartTimer capture(core::Phase::Capture, result);
            QS_RETURN_IF_ERROR(m_pipeline->prepare());
            noteKernels(m_cell.program, *m_pipeline, result);
            noteDistances(request, result);
        }
        result.executed = executedStages(m_cell.program, m_cell.recipe, m_cell.device,
                                         m_pipeline->products(), m_pipeline->weightProducts());
        const std::vector<core::Note> notes = m_pipeline->notes();
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        result.graphLaunches = m_pipeline->launchesPerPass();
        return {};
    }

    void noteDistances(const CellRequest& request, CellResult& result) const
    {
        const std::vector<double> distances = m_pipeline->distancesToEager();
        for (core::StageCompile& compile : result.compiles) {
            for (std::size_t i = 0; i < m_cell.program.stages.size(); ++i) {
                const core::StageProgram& stage = m_cell.program.stages[i];
                if (stage.name != compile.stage)
                    continue;
                compile.distanceToEager = distances[i];
                compile.distanceLimit = mostDistanceToEager(stage.graph, request.bf16FromFp32);
                compile.bf16FromFp32 = request.bf16FromFp32;
            }
        }
    }

    // One pass, stage by stage: how much memory it took. All that comes later takes
    // as much again, so the peak of the cell loses nothing when peaks are reset here.
    void observeStages(CellResult& result)
    {
        const PartTimer timer(core::Phase::MemoryPass, result);
        // The stages of a cell that quantizes are the parts of its samples.
        const bool ofPasses = result.stages.empty();
        for (std::size_t stage = 0; stage < m_cell.program.stages.size(); ++stage) {
            m_backend->resetPeaks();
            m_pipeline->observe(stage);
            const core::MemoryFigures memory = m_backend->memory();
            if (ofPasses)
                result.stages.push_back(
                    {m_cell.program.stages[stage].name,
                     {},
                     memory.allocatedPeak ? memory.allocatedPeak : memory.processPeak});
        }
    }

    void collectMemory(CellResult& result)
    {
        const core::MemoryFigures before = result.memory;
        result.memory = m_backend->memory();
        result.memory.loadAllocatedPeak = before.loadAllocatedPeak;
        result.memory.firstSample = before.firstSample;
        core::applySelfTest(m_selfTest, result);
        result.memory.weightsResident = residentBytes(m_weights.stages());
        if (m_pipeline) {
            result.memory.statesResident = m_pipeline->stateBytes();
            result.memory.weightsResident += m_pipeline->layoutBytes();
        }
    }

    std::unique_ptr<Backend> m_backend;
    std::string m_deviceId;
    std::map<std::string, std::int64_t> m_largestIds;  // of inputs of whole numbers
    core::SelfTest m_selfTest;                         // of the backend
    LoweredCell m_cell;
    std::optional<PackageCompiler> m_compiler;
    std::vector<StagePackages> m_packages;  // per stage
    CellWeights m_weights;
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
    const Status status = catching([&]() -> Status {
        try {
            return m_impl->run(request, observer, result);
        } catch (const c10::IndexError& error) {
            return m_impl->beyondTable(error.what_without_backtrace());
        }
    });
    if (status.ok())
        return result;
    Error error = m_impl->typed(status.error());
    // A device that is lost cannot be cleared; its process has to end.
    if (error.code != ErrorCode::Device)
        static_cast<void>(catching([&] {
                              m_impl->clear();
                              return Status();
                          }).ok());
    return error;
}

}  // namespace qs::engine
