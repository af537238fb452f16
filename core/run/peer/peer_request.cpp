#include "core/run/peer/peer_request.h"
#include "core/quant/checked_model.h"

#include "core/base/files.h"
#include "core/base/text_parts.h"
#include "core/model/fed_inputs.h"
#include "core/model/fed_model.h"
#include "core/model/generated_inputs.h"
#include "core/model/image_inputs.h"
#include "core/record/reference_results.h"
#include "core/record/run_folder.h"
#include "core/run/peer/measure_peer_script.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <span>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBasePrecision = "bf16";
constexpr std::int64_t kPeerSamples = 16;  // generated, where nothing is fed
constexpr double kPeerSampleSeconds = 0.02;
constexpr int kPeerWarmupPasses = 3;

Result<const PlannedCell*> eagerCell(const Plan& plan)
{
    const auto found =
        std::find_if(plan.cells.begin(), plan.cells.end(), [](const PlannedCell& cell) {
            return cell.program.empty() && cell.rerun == 0 && cell.config.compile == "none" &&
                   allStagesAre(cell.config, kBasePrecision);
        });
    if (found == plan.cells.end())
        return Error{ErrorCode::Unsupported,
                     "the run has no bf16 eager cell: nothing says which network is meant"};
    return &*found;
}

std::vector<std::int64_t> batchesOf(const Plan& plan, const CellConfig& like)
{
    std::set<std::int64_t> batches;
    for (const PlannedCell& cell : plan.cells) {
        if (cell.possible() && cell.config.model == like.model && cell.config.sizes == like.sizes)
            batches.insert(cell.config.batch);
    }
    return {batches.begin(), batches.end()};
}

// Python runs a stage once, as a function of its inputs.
Status checkStages(const Program& program)
{
    for (const StageProgram& stage : program.stages) {
        const bool states =
            std::any_of(stage.graph.values.begin(), stage.graph.values.end(),
                        [](const Value& value) { return value.kind == ValueKind::State; });
        if (states || stage.runs != 1 || stage.opaque)
            return Error{ErrorCode::Unsupported,
                         "stage " + stage.name +
                             (stage.opaque ? " is a compiled program"
                                           : " keeps a state from one run to the next") +
                             ": it cannot be measured in Python"};
    }
    return {};
}

Result<HostTensors> inputsOf(const fs::path& run, const PeerBatch& batch, const Model& model,
                             const ModelFeeding& feeding)
{
    const ModelFamily& family = *model.family;
    const bool images = family.workload().takesImages();
    const FilePlace file = inputArray(run, batch.config.imageSize());
    std::optional<std::int64_t> pictures;
    if (images) {
        if (!isThere(file))
            return Error{ErrorCode::NotFound,
                         run.string() + " has no prepared images (" + file.relative().string() +
                             "), which the network is measured on; run its sweep here"};
        QS_TRY(const std::vector<std::int64_t> shape, readNpyShape(file));
        pictures = shape.empty() ? 0 : shape.front();
    }
    std::vector<const Graph*> graphs;
    for (const StageProgram& stage : batch.program.stages)
        graphs.push_back(&stage.graph);
    QS_TRY(const FedInputs fed, readFedInputs(
                                    family, graphs, feeding,
                                    [&](const std::string& input) {
                                        return FilePlace::inside(run, feedFileName(feeding, input));
                                    },
                                    batch.config.seed, kPeerSamples, pictures));
    const std::int64_t count = std::min(batch.config.batch, fed.count);
    HostTensors inputs;
    if (images) {
        QS_TRY(FloatArray array, readNpyEntries(file, 0, count));
        QS_TRY(inputs,
               inputsOfImages(family, std::move(array), batch.config.sizes, inputShapes(graphs)));
    }
    inputs.merge(samplesOf(fed.tensors, family.workload(), 0, count));
    return inputs;
}

Status addLayers(PeerRequest& request, const CellConfig& config)
{
    const ModelFamily& family = *request.model.family;
    for (const std::string& precision : request.wishes.precisions) {
        QS_TRY(const Recipe recipe, makeRecipe(family, {precision}, config.layers));
        auto& stages = request.layers[precision];
        for (const LayerRow& row : layerTable(family, recipe)) {
            if (row.quantized() && row.kind == LayerKind::Linear)
                stages[family.stages()[row.stage].name].push_back(row.weight);
        }
    }
    return {};
}

Status checkWishes(const PeerWishes& wishes)
{
    const auto& known = peerModes();
    for (const std::string& mode : wishes.modes) {
        if (std::find(known.begin(), known.end(), mode) != known.end())
            continue;
        std::string names;
        for (const std::string& each : known)
            names += (names.empty() ? "" : ", ") + each;
        return Error{ErrorCode::InvalidArgument,
                     "torch.compile has no mode \"" + mode + "\"; use " + names};
    }
    if (wishes.precisions.empty() || wishes.modes.empty())
        return Error{ErrorCode::InvalidArgument, "name at least one precision and one mode"};
    return {};
}

std::string inputFile(const PeerBatch& batch, std::size_t place)
{
    return peerBatchFolder(batch) + "/input_" + std::to_string(place) + ".bin";
}

// The first stage that reads the input says which type it has there; none: nobody reads it.
const Value* readAs(const Program& program, const std::string& input)
{
    for (const StageProgram& stage : program.stages) {
        for (const ValueId id : stage.graph.inputs) {
            if (stage.graph.value(id).name == input)
                return &stage.graph.value(id);
        }
    }
    return nullptr;
}

std::string_view bytesOf(const HostTensor& tensor)
{
    return std::visit(
        [](const auto& values) {
            return std::string_view(reinterpret_cast<const char*>(values.data()),
                                    values.size() * sizeof(values.front()));
        },
        tensor.values);
}

Json inputsJson(const PeerBatch& batch)
{
    Json list = Json::array();
    std::size_t place = 0;
    for (const auto& [name, tensor] : batch.inputs) {
        const std::string file = inputFile(batch, place++);
        const Value* value = readAs(batch.program, name);
        if (value == nullptr)
            continue;
        const bool whole = std::holds_alternative<std::vector<std::int64_t>>(tensor.values);
        list.push_back({{"name", name},
                        {"file", file},
                        {"dtype", whole ? "int64" : "float32"},
                        {"shape", tensor.shape},
                        {"as", qs::core::name(value->type.dtype)},
                        {"repeats", tensor.shape != value->type.shape}});
    }
    return list;
}

// What quality is told of; of a model that generates nothing, the step of it that its one pass
// gives.
std::string judgedOutput(const Program& program)
{
    const auto isGiven = [&](const std::string& name) {
        return std::any_of(program.stages.begin(), program.stages.end(), [&](const auto& stage) {
            return std::any_of(
                stage.graph.outputs.begin(), stage.graph.outputs.end(),
                [&](const ValueId id) { return stage.graph.value(id).name == name; });
        });
    };
    std::vector<std::string> names{program.judged};
    names.insert(names.end(), program.judgedSteps.begin(), program.judgedSteps.end());
    const auto found = std::find_if(names.begin(), names.end(), isGiven);
    if (found != names.end())
        return *found;
    const Graph& last = program.stages.back().graph;
    return last.value(last.outputs.front()).name;
}

Json batchJson(const PeerBatch& batch, const ModelFamily& family)
{
    Json stages = Json::array();
    const auto names = [](const Graph& graph, const std::vector<ValueId>& ids) {
        Json list = Json::array();
        for (const ValueId id : ids)
            list.push_back(graph.value(id).name);
        return list;
    };
    for (const StageProgram& stage : batch.program.stages)
        stages.push_back({{"name", stage.name},
                          {"archive", peerBatchFolder(batch) + "/" + stage.name + ".pt2"},
                          {"inputs", names(stage.graph, stage.graph.inputs)},
                          {"outputs", names(stage.graph, stage.graph.outputs)}});
    return {{"batch", batch.config.batch},
            {"units_per_pass",
             family.workload().unitsPerPass({batch.config.batch, batch.config.sizes})},
            {"judged", judgedOutput(batch.program)},
            {"inputs", inputsJson(batch)},
            {"stages", std::move(stages)}};
}

Json requestJson(const PeerRequest& request)
{
    const CellConfig& config = request.batches.front().config;
    Json batches = Json::array();
    for (const PeerBatch& batch : request.batches)
        batches.push_back(batchJson(batch, *request.model.family));
    Json sizes = Json::object();
    for (const NamedSize& size : config.sizes)
        sizes[size.name] = size.value;
    return {{"schema_version", kReferenceSchemaVersion},
            {"device", config.device},
            {"model", config.model},
            {"model_content", request.model.contentId},
            {"layer_filter", config.layers},
            {"sizes", std::move(sizes)},
            {"unit", name(request.model.family->workload().unit)},
            {"precisions", request.wishes.precisions},
            {"modes", request.wishes.modes},
            {"layers", request.layers},
            {"rounds", request.wishes.rounds},
            {"samples", request.wishes.samples},
            {"warmup_passes", kPeerWarmupPasses},
            {"sample_seconds", kPeerSampleSeconds},
            {"prepare_seconds", request.wishes.prepareSeconds},
            {"fresh_caches", request.wishes.freshCaches},
            {"seed", config.seed},
            {"batches", std::move(batches)}};
}

}  // namespace

const std::vector<std::string>& peerModes()
{
    static const std::vector<std::string> modes{"eager", "default", "reduce-overhead",
                                                "max-autotune", "max-autotune-no-cudagraphs"};
    return modes;
}

PeerWishes usualWishes(const Plan& plan)
{
    static const std::set<std::string> torchAo{"int8dq",       "int8wo",          "float8wo",
                                               "float8dq-row", "float8dq-tensor", "int4wo-32",
                                               "int4wo-64",    "int4wo-128"};
    PeerWishes wishes;
    for (const PlannedCell& cell : plan.cells) {
        const std::string precision = precisionText(cell.config);
        if (cell.config.device != "cpu" && wishes.modes.size() == 2)
            wishes.modes.emplace_back("reduce-overhead");
        if (torchAo.contains(precision) &&
            std::find(wishes.precisions.begin(), wishes.precisions.end(), precision) ==
                wishes.precisions.end())
            wishes.precisions.push_back(precision);
    }
    return wishes;
}

Result<PeerRequest> peerRequest(const fs::path& runFolder, const PeerWishes& wishes,
                                const fs::path& resourceFolder)
{
    QS_RETURN_IF_ERROR(checkWishes(wishes));
    QS_TRY(const Plan plan, readRunPlan(runFolder));
    QS_TRY(const PlannedCell* cell, eagerCell(plan));
    PeerRequest request{wishes, {}, plan.preset.feeding, {}, {}};
    for (std::string& precision : request.wishes.precisions) {
        if (precision == "none")
            precision = kBasePrecision;
    }
    CellConfig config = cell->config;
    if (!wishes.device.empty())
        config.device = wishes.device;
    QS_TRY(OpenedModel opened, openCheckedModel(config.model, resourceFolder, config.seed));
    request.model = std::move(opened.model);
    QS_RETURN_IF_ERROR(feedModel(request.model, request.feeding));
    QS_RETURN_IF_ERROR(addLayers(request, config));
    const ModelFamily& family = *request.model.family;
    QS_TRY(const Recipe recipe, makeRecipe(family, config.precision, config.layers));
    for (const std::int64_t batch :
         wishes.batches.empty() ? batchesOf(plan, config) : wishes.batches) {
        PeerBatch made{config, {}, {}};
        made.config.batch = batch;
        QS_TRY(made.program, lower(family, {recipe, {batch, config.sizes}, {}}));
        QS_RETURN_IF_ERROR(checkStages(made.program));
        QS_TRY(made.inputs, inputsOf(runFolder, made, request.model, request.feeding));
        request.batches.push_back(std::move(made));
    }
    return request;
}

std::string peerBatchFolder(const PeerBatch& batch)
{
    return "batch_" + std::to_string(batch.config.batch);
}

Status writePeerRequest(const PeerRequest& request, const fs::path& folder)
{
    for (const PeerBatch& batch : request.batches) {
        QS_RETURN_IF_ERROR(createFolders(folder / peerBatchFolder(batch)));
        std::size_t place = 0;
        for (const auto& [name, tensor] : batch.inputs)
            QS_RETURN_IF_ERROR(
                writeFileAtomically(folder / inputFile(batch, place++), bytesOf(tensor)));
    }
    QS_RETURN_IF_ERROR(writeFileAtomically(folder / "measure_peer.py", measurePeerScript()));
    return writeFileAtomically(folder / "request.json", jsonText(requestJson(request), 1) + "\n");
}

}  // namespace qs::core
