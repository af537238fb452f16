#include "core/sweep/plan.h"

#include "core/graph/cost.h"
#include "core/lower/eager_stage.h"
#include "core/lower/fused/kernel_notes.h"
#include "core/model/fed_model.h"
#include "core/model/quantized/checkpoint.h"
#include "core/quant/checked_model.h"
#include "core/sweep/calibration_plan.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/estimate.h"
#include "core/sweep/preset_axes.h"
#include "core/sweep/validity.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace qs::core {

namespace {

// Cells with new tokens are asked for by name: a model that makes none cannot have them.
bool asksToGenerate(const Preset& preset)
{
    const std::string generate(kCellWorkloads.of(CellWorkload::Generate));
    const Axis* axis = findAxis(preset, "workload");
    return axis == nullptr ? preset.defaults.workload == generate
                           : std::find(axis->values.begin(), axis->values.end(), generate) !=
                                 axis->values.end();
}

// Where the preset names the model.
std::string pathOfModel(const Preset& preset, const std::string& reference)
{
    if (const Axis* axis = findAxis(preset, "model")) {
        const auto found = std::find(axis->values.begin(), axis->values.end(), reference);
        if (found != axis->values.end())
            return "$.axes.model[" + std::to_string(found - axis->values.begin()) + "]";
    }
    return "$.defaults.model";
}

// "stands for layers mlp, attention as well: bf16 quantizes none"
Note sameFiltersNote(const ExpandedCell& cell)
{
    std::string filters;
    for (const std::string& filter : cell.sameFilters)
        filters += (filters.empty() ? "" : ", ") + filter;
    return {NoteCode::SameFilters, {filters, precisionText(cell.config)}};
}

// Opens each model once: hashing the files of a large one takes seconds.
class Models final
{
public:
    explicit Models(const Preset& preset, const PlanOptions& options)
        : m_preset(preset), m_options(options)
    {
    }

    Result<std::shared_ptr<const Model>> open(const CellConfig& cell)
    {
        if (const auto found = m_trained.find(cell.model); found != m_trained.end())
            return found->second;
        const auto key = std::make_pair(cell.model, cell.seed);
        if (const auto found = m_generated.find(key); found != m_generated.end())
            return found->second;
        auto opened = openCheckedModel(cell.model, m_options.resourceFolder, cell.seed);
        if (!opened.ok())
            return opened.error().within(pathOfModel(m_preset, cell.model) + ": model \"" +
                                         cell.model + "\"");
        if (const Status fed = feedModel(opened.value().model, m_preset.feeding); !fed.ok())
            return fed.error().within("$.model_io: model \"" + cell.model + "\"");
        auto model = std::make_shared<const Model>(std::move(opened.value().model));
        if (model->trained())  // the seed decides its inputs alone
            m_trained[cell.model] = model;
        else
            m_generated[key] = model;
        return model;
    }

    // Of weights in files; see PlannedCell.
    const std::string& architectureOf(const Model& model)
    {
        auto [found, isNew] = m_architectures.try_emplace(model.reference);
        if (isNew && std::holds_alternative<StoredWeights>(model.weights))
            found->second = quantized::architectureOf(model);
        return found->second;
    }

private:
    const Preset& m_preset;
    const PlanOptions& m_options;
    std::map<std::string, std::string> m_architectures;  // by reference
    std::map<std::string, std::shared_ptr<const Model>> m_trained;
    std::map<std::pair<std::string, std::int64_t>, std::shared_ptr<const Model>> m_generated;
};

// Fills in what is known of each cell. Programs depend on neither attention kernel nor seed, FLOPs
// on the shape alone: both are kept, because cells share them.
class Planner final
{
public:
    Planner(const Preset& preset, const PlanOptions& options)
        : m_preset(preset),
          m_options(options),
          m_models(preset, options),
          m_sets(preset, options.resourceFolder)
    {
    }

    Result<PlannedCell> plan(const ExpandedCell& cell)
    {
        QS_TRY(const auto model, m_models.open(cell.config));
        PlannedCell planned;
        planned.config = cell.config;
        planned.config.sizes = sizesOf(cell.config, *model->family);
        planned.role = cell.role;
        planned.rerun = cell.rerun;
        planned.calibration = calibrationContentOf(planned.config, *model);
        planned.id = cellId(planned.config, model->contentId, planned.rerun, planned.calibration);
        if (hasReference(planned.config))
            planned.referenceId = cellId(qualityReferenceOf(planned.config), model->contentId);
        planned.trained = model->outputsMeanSomething();
        if (const auto& program = model->family->stages().front().program)
            planned.program = program->sha256;
        planned.architecture = m_models.architectureOf(*model);
        const Workload& workload = model->family->workload();
        planned.output = workload.judgedOutput().kind;
        planned.unit = workload.unit;
        planned.unitsPerPass = workload.unitsPerPass({planned.config.batch, planned.config.sizes});
        const ShapeFacts& facts = factsOf(planned.config, *model);
        planned.flops = facts.flops;
        planned.stageFlops = facts.stageFlops;
        planned.outputValues = facts.outputValues;
        planned.amounts = facts.amounts;
        if (isQuantizing(planned.config)) {
            planned.flops = 0.0;
            planned.stageFlops.clear();
            planned.unit = WorkUnit::Sample;
            planned.unitsPerPass = 1;
            planned.amounts.clear();
        }
        judge(planned, *model);
        planned.attentionShare = planned.compiled ? facts.attentionShare() : 0.0;
        if (!cell.sameFilters.empty())
            planned.notes.push_back(sameFiltersNote(cell));
        return planned;
    }

private:
    // Those of the model, completed, and those that an axis asks for: they make the cell
    // impossible.
    Sizes sizesOf(const CellConfig& config, const ModelFamily& family) const
    {
        Sizes sizes = family.workload().completed(config.sizes);
        for (const NamedSize& size : config.sizes) {
            const bool generates =
                size.name == "new_tokens" && size.value > 0 && asksToGenerate(m_preset);
            if (generates || findAxis(m_preset, size.name) != nullptr)
                sizes.set(size.name, size.value);
        }
        return sizes;
    }

    struct Lowered {
        std::optional<Note> impossible;  // what the graphs say of it
        std::vector<Note> notes;
        PassWork work;
        std::int64_t weightBytesRead = 0;
        std::optional<CompiledShare> compiled;
    };

    std::string calibrationContentOf(const CellConfig& config, const Model& model)
    {
        const auto recipe = makeRecipe(*model.family, config.precision, config.layers);
        return recipe.ok() ? calibrationContent(model, recipe.value(), m_sets) : std::string();
    }

    void judge(PlannedCell& cell, const Model& model)
    {
        const auto recipe = makeRecipe(*model.family, cell.config.precision, cell.config.layers);
        if (!recipe.ok()) {
            cell.impossible = remark(recipe.error().message);
            return;
        }
        cell.weightBytes = residentWeightBytes(*model.family, recipe.value());
        cell.quantizedFlops = quantizedFlops(cell.config, model, recipe.value());
        const DeviceDescription* device = findDevice(cell.config.device);
        cell.impossible = device == nullptr
                              ? Note{NoteCode::NoSuchDevice, {cell.config.device}}
                              : whyImpossible(cell.config, model, recipe.value(), *device);
        if (cell.possible())
            cell.impossible = whyNotCalibrated(cell.config, model, recipe.value(), m_sets);
        if (!cell.possible())
            return;
        const Lowered& lowered = lowerOnce(cell.config, model, recipe.value(), *device);
        cell.impossible = lowered.impossible;
        if (!cell.possible())
            return;
        cell.notes = lowered.notes;
        for (Note& note : notesOnSamples(cell.config, model, recipe.value(), m_sets))
            cell.notes.push_back(std::move(note));
        PassWork work = lowered.work;
        if (isQuantizing(cell.config)) {
            // A sample is all that a cell of passes does once, before them.
            CellConfig one = cell.config;
            one.batch = 1;
            const double pass = lowerOnce(one, model, recipe.value(), *device).work.pass;
            work.pass = loadSeconds(model, *device) +
                        calibrationSeconds(*model.family, recipe.value(), *device, pass);
        }
        cell.compiled = lowered.compiled;
        cell.weightBytesRead = lowered.weightBytesRead;
        CellEstimate estimate = estimateOnce(cell.config, model, work, *device);
        estimate.calibrate = calibrationShare(cell.config, model, recipe.value(), *device);
        cell.estimatedSeconds = estimate.total();
        cell.compileSeconds = compileSeconds(lowered.work, m_preset);
    }

    [[nodiscard]] const DeviceDescription* findDevice(const std::string& id) const
    {
        const auto found = std::find_if(m_options.devices.begin(), m_options.devices.end(),
                                        [&](const auto& device) { return device.id == id; });
        return found == m_options.devices.end() ? nullptr : &*found;
    }

    // What the graphs of a shape say, whatever the precision; nothing for one that cannot be built.
    struct ShapeFacts {
        double flops = 0.0;
        std::vector<double> stageFlops = {};  // of several
        std::int64_t outputValues = 0;
        std::vector<SampleAmount> amounts = {};
        double attentionFlops = 0.0;
        double blockFlops = 0.0;  // of products in blocks
        [[nodiscard]] double attentionShare() const
        {
            return attentionFlops > 0.0 ? attentionFlops / (attentionFlops + blockFlops) : 0.0;
        }
        // Of a pass, by stage and module.
        std::map<std::pair<std::size_t, std::string>, double> layerFlops = {};
    };
    const ShapeFacts& factsOf(const CellConfig& config, const Model& model)
    {
        static const ShapeFacts none;
        const ShapePoint shape{config.batch, config.sizes};
        if (!model.family->checkShape(shape).ok())
            return none;
        const auto [found, fresh] =
            m_shapes.try_emplace({model.variant, config.batch, config.sizes}, ShapeFacts{});
        std::vector<std::string> judged = model.family->workload().judgedSteps();
        if (judged.empty())
            judged.push_back(model.family->workload().judged);
        if (fresh)
            found->second.amounts = model.family->amounts(shape);
        for (std::size_t stage = 0; fresh && stage < model.family->stages().size(); ++stage) {
            const auto graph = model.family->buildStage(stage, shape, DType::BFloat16);
            if (!graph.ok())
                continue;
            const auto runs = static_cast<double>(model.family->runsPerPass(stage, shape));
            const double flops = costOf(graph.value()).flops() * runs;
            found->second.flops += flops;
            if (model.family->stages().size() > 1)
                found->second.stageFlops.push_back(flops);
            for (const LayerCost& layer : costPerModule(graph.value())) {
                const double products = layer.cost.matmulFlops * runs;
                found->second.layerFlops[{stage, layer.module}] += products;
                found->second.attentionFlops += layer.cost.attentionFlops * runs;
                if (products > 0.0 && model.family->layerPlace(stage, layer.module).block >= 0)
                    found->second.blockFlops += products;
            }
            for (const ValueId id : graph.value().outputs) {
                const Value& output = graph.value().value(id);
                if (std::find(judged.begin(), judged.end(), output.name) != judged.end())
                    found->second.outputValues += output.type.elementCount() / config.batch *
                                                  model.family->runsPerPass(stage, shape);
            }
        }
        return found->second;
    }

    double quantizedFlops(const CellConfig& config, const Model& model, const Recipe& recipe)
    {
        const auto& layers = factsOf(config, model).layerFlops;
        double flops = 0.0;
        for (const LayerRow& row : layerTable(*model.family, recipe)) {
            const auto found = layers.find({row.stage, row.module});
            if (row.quantized() && found != layers.end())
                flops += found->second;
        }
        return flops;
    }

    const Lowered& lowerOnce(const CellConfig& config, const Model& model, const Recipe& recipe,
                             const DeviceDescription& device)
    {
        CellConfig shared = config;
        shared.model = model.variant;
        shared.seed = 0;
        shared.attention = "auto";
        const auto [found, fresh] = m_lowered.try_emplace(cellKey(shared));
        if (fresh) {
            auto modes = parseCompileModes(config.compile, recipe.size());
            QS_ASSERT(modes.ok());  // as the shape, it has been checked
            const auto program = lower(
                *model.family, {recipe, {config.batch, config.sizes}, std::move(modes).value()});
            if (!program.ok()) {
                found->second.impossible = remark(program.error().message);
                return found->second;
            }
            found->second.impossible = whyNotCompiled(program.value(), recipe, device);
            if (found->second.impossible)
                return found->second;
            const auto stages = stagesAsRun(program.value(), device);
            if (!stages.ok()) {
                found->second.impossible = remark(stages.error().message);
                return found->second;
            }
            found->second.work = passWork(program.value(), stages.value(), device);
            found->second.weightBytesRead = weightBytesRead(*model.family, stages.value());
            // What cannot be taken apart is said when it is compiled.
            if (const auto share = compiledShare(program.value(), stages.value(), device);
                share.ok())
                found->second.compiled = share.value();
            found->second.notes = notesAsRun(program.value(), stages.value(), device);
            for (std::vector<Note>& more :
                 std::array{notesOnStages(config, model, recipe),
                            notesOnRows(model, recipe, program.value(), config.batch)})
                std::move(more.begin(), more.end(), std::back_inserter(found->second.notes));
        }
        return found->second;
    }

    CellEstimate estimateOnce(const CellConfig& config, const Model& model, const PassWork& work,
                              const DeviceDescription& device)
    {
        CellEstimate estimate = estimateCell(work, config, model, device, m_preset);
        const bool loaded = !m_loaded.insert(weightsKey(config)).second;
        if (loaded && m_preset.isolation == Isolation::Model) {
            estimate.start = 0.0;
            estimate.load = 0.0;
        }
        return estimate;
    }

    // Of the first cell with these weights and sizes; the others find what it made.
    double calibrationShare(CellConfig config, const Model& model, const Recipe& recipe,
                            const DeviceDescription& device)
    {
        config.inputs = CellConfig().inputs;
        config.compile = "none";
        config.attention = "auto";
        config.batch = 1;
        // What costs nothing is not lowered once more.
        if (calibrationSeconds(*model.family, recipe, device, 1.0) == 0.0 ||
            !m_calibrated.insert(cellKey(config)).second)
            return 0.0;
        const double pass = lowerOnce(config, model, recipe, device).work.pass;
        return calibrationSeconds(*model.family, recipe, device, pass) /
               std::max(1, m_preset.rounds);
    }

    // Equal for cells that one process runs with the weights that it has.
    static std::string weightsKey(CellConfig config)
    {
        config.compile = "none";
        config.attention = "auto";
        config.batch = 1;
        config.sizes = {};
        return cellKey(config);
    }

    const Preset& m_preset;
    const PlanOptions& m_options;
    Models m_models;
    std::map<std::tuple<std::string, std::int64_t, Sizes>, ShapeFacts> m_shapes;
    std::map<std::string, Lowered> m_lowered;
    std::set<std::string> m_loaded;
    std::set<std::string> m_calibrated;
    CalibrationSets m_sets;
};

}  // namespace

Result<Plan> makePlan(const Preset& preset, const PlanOptions& options)
{
    QS_TRY(const std::vector<ExpandedCell> expanded, expandCells(preset, options.manyAllowed));
    Plan plan;
    plan.preset = preset;
    plan.devices = options.devices;
    plan.cells.reserve(expanded.size());
    Planner planner(preset, options);
    for (const ExpandedCell& cell : expanded) {
        QS_TRY(PlannedCell planned, planner.plan(cell));
        plan.cells.push_back(std::move(planned));
    }
    return plan;
}

}  // namespace qs::core
