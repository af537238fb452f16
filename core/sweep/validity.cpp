#include "core/sweep/validity.h"

#include "core/image/resize.h"
#include "core/lower/chosen_modules.h"
#include "core/lower/program.h"
#include "core/model/image_inputs.h"
#include "core/quant/rest_of_model.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/input_residency.h"

#include <algorithm>
#include <optional>
#include <string>

namespace qs::core {

namespace {

bool anyStageQuantizes(const Recipe& recipe)
{
    return std::any_of(recipe.begin(), recipe.end(),
                       [](const StageRecipe& stage) { return quantizesWeights(stage.scheme); });
}

bool attendsInFloat32(const Scheme& scheme)
{
    return productTypeOf(scheme) == DType::Float32;
}

bool onCuda(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cuda;
}

// Nothing if there is none.
using Objection = std::optional<Note>;

// The first generation that the libraries of CUDA 13 hold code for, and that multiplies int8.
Objection generationObjection(const DeviceDescription& device)
{
    return whyNot({.what = "the libraries of CUDA 13",
                   .computeMajor = 7,
                   .computeMinor = 5,
                   .generations = "Turing or newer"},
                  device);
}

Objection compileObjection(const CellConfig& cell, const Recipe& recipe,
                           const DeviceDescription& device)
{
    const auto modes = parseCompileModes(cell.compile, recipe.size());
    if (!modes.ok())
        return remark(modes.error().message);
    for (const CompileMode& mode : modes.value()) {
        if (Objection reason = whyNot(mode->needs, device))
            return reason;
    }
    return {};
}

// Where a compiled program can run at all.
Objection programDeviceObjection(const PackagedProgram& program, const DeviceDescription& device)
{
    const bool forGpu = program.device == ProgramDevice::Cuda;
    if (forGpu != onCuda(device))
        return Note{NoteCode::ProgramNeedsDevice, {forGpu ? "NVIDIA GPUs" : "the CPU", device.id}};
    const bool fits =
        program.computeMajor == device.computeMajor && program.computeMinor <= device.computeMinor;
    if (!forGpu || program.computeMajor == 0 || fits)
        return {};
    const auto capability = [](int major, int minor) {
        return std::to_string(major) + "." + std::to_string(minor);
    };
    return Note{NoteCode::ProgramNeedsOther,
                {capability(program.computeMajor, program.computeMinor), device.name,
                 capability(device.computeMajor, device.computeMinor)}};
}

// A compiled program takes nothing but itself, and no other model takes what is called so.
Objection programObjection(const CellConfig& cell, const Model& model, const Recipe& recipe,
                           const DeviceDescription& device)
{
    const auto modes = parseCompileModes(cell.compile, recipe.size());
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        const auto& program = model.family->stages()[stage].program;
        const CompileMode& mode = modes.value()[stage];
        const Scheme& scheme = recipe[stage].scheme;
        if (!program && (mode->ofPrograms || scheme->ofPrograms))
            return Note{NoteCode::OnlyForPrograms, {std::string(kAsPackaged)}};
        if (!program)
            continue;
        if (!scheme->ofPrograms)
            return Note{NoteCode::ProgramIsFixed, {"precision " + scheme.text()}};
        if (!mode->ofPrograms)
            return Note{NoteCode::ProgramIsFixed, {"compile mode " + mode.text()}};
        if (cell.layers != CellConfig().layers)
            return Note{NoteCode::ProgramIsFixed, {"layers " + cell.layers}};
        if (cell.attention != CellConfig().attention)
            return Note{NoteCode::ProgramIsFixed, {"attention " + cell.attention}};
        if (Objection reason = programDeviceObjection(*program, device))
            return reason;
    }
    return {};
}

Objection schemeObjection(const Recipe& recipe, const DeviceDescription& device)
{
    for (const StageRecipe& stage : recipe) {
        if (Objection reason = whyNot(stage.scheme->needs, device))
            return reason;
    }
    return {};
}

// Tokens that are none, or beyond a window.
bool masksTokens(const CellConfig& cell)
{
    return cell.sizes.find(kTokenBudget).value_or(0) > 0 ||
           cell.sizes.find(kAttentionWindow).value_or(0) > 0;
}

Objection attentionObjection(const CellConfig& cell, const Recipe& recipe,
                             const DeviceDescription& device)
{
    const auto parsed = parseAttentionKernel(cell.attention);
    if (!parsed.ok())
        return remark(parsed.error().message);
    const AttentionKernel kernel = parsed.value();
    const std::string kernelName(name(kernel));
    const bool cudaOnly = kernel == AttentionKernel::Efficient || kernel == AttentionKernel::Cudnn;
    if (cudaOnly && !onCuda(device))
        return Note{NoteCode::AttentionNeedsCuda, {kernelName}};
    // The flash kernel of the CPU takes float32 as well.
    const bool narrowOnly = kernel == AttentionKernel::Flash || kernel == AttentionKernel::Cudnn;
    if (!narrowOnly || !onCuda(device))
        return {};
    if (Objection reason = whyNot({.what = "the flash and cudnn attention kernels",
                                   .computeMajor = 8,
                                   .generations = "Ampere or newer"},
                                  device))
        return reason;
    if (kernel == AttentionKernel::Flash && masksTokens(cell))
        return remark("the flash attention kernel takes no mask, which token_budget and "
                      "attention_window are: choose another kernel");
    for (const StageRecipe& stage : recipe) {
        if (attendsInFloat32(stage.scheme))
            return Note{NoteCode::AttentionTooWide, {kernelName, stage.scheme.text()}};
    }
    return {};
}

Objection inputObjection(const CellConfig& cell, const DeviceDescription& device)
{
    const auto residency = parseInputResidency(cell.inputs);
    if (!residency.ok())
        return remark(residency.error().message);
    if (residency.value() != InputResidency::Device && !onCuda(device))
        return Note{NoteCode::InputsStay, {device.id}};
    return {};
}

// Of a shape that can be built.
Objection regionObjection(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    const auto modes = parseCompileModes(cell.compile, recipe.size());
    return whyNoRegions(*model.family, modes.value(),
                        {cell.batch, model.family->workload().completed(cell.sizes)});
}

// A size that was asked for but that the model does not have.
Objection foreignSizeObjection(const CellConfig& cell, const Model& model)
{
    for (const NamedSize& size : cell.sizes) {
        if (model.family->workload().findSize(size.name) == nullptr)
            return Note{NoteCode::NoSuchSize, {size.name}};
    }
    return {};
}

Objection imageObjection(const CellConfig& cell)
{
    if (cell.imageSize() <= kLargestCrop)
        return {};
    return Note{NoteCode::ImageTooLarge,
                {static_cast<double>(cell.imageSize()), static_cast<double>(kLargestCrop)}};
}

// A checkpoint that is quantized runs as it is stored, or with its weights restored.
Objection storedObjection(const Model& model, const Recipe& recipe)
{
    if (model.quantized.empty())
        return {};
    const auto& stages = model.family->stages();
    for (const LayerRow& row : layerTable(*model.family, recipe)) {
        if (!row.quantized())
            continue;
        const std::size_t owner = weightOwner(*model.family, row.stage);
        const auto stored = model.quantized.find(stages[owner].name + "/" + row.weight);
        if (stored == model.quantized.end())
            return remark("the checkpoint does not hold " + row.module + " quantized");
        if (stored->second != row.scheme.text())
            return remark("the checkpoint holds " + row.module + " as " + stored->second);
    }
    return {};
}

// See Note [Own lengths] in core/model/text_feed.h.
Objection lengthObjection(const CellConfig& cell, const Model& model)
{
    if (model.family->workload().ownSize().empty() || cell.compile == CellConfig().compile)
        return {};
    return remark("prompts of their own lengths (length=own) run operation by operation: what is "
                  "compiled has one length");
}

Objection memoryObjection(const Model& model, const Recipe& recipe, const DeviceDescription& device)
{
    const std::int64_t bytes = residentWeightBytes(*model.family, recipe);
    if (device.memoryBytes == 0 || bytes <= device.memoryBytes)  // 0: not known
        return {};
    return Note{NoteCode::WeightsTooLarge,
                {static_cast<double>(bytes), device.name, static_cast<double>(device.memoryBytes)}};
}

Objection workloadObjection(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    if (!isQuantizing(cell))
        return {};
    if (!anyStageQuantizes(recipe) || !model.quantized.empty())
        return Note{NoteCode::NothingToQuantize, {precisionText(cell)}};
    if (cell.compile != CellConfig().compile)
        return Note{NoteCode::QuantizingIsAlone, {"compile mode " + cell.compile}};
    if (cell.inputs != CellConfig().inputs)
        return Note{NoteCode::QuantizingIsAlone, {"inputs " + cell.inputs}};
    return {};
}

}  // namespace

std::optional<Note> whyNoLayer(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    if (!anyStageQuantizes(recipe))
        return {};
    std::string scheme;
    Objection sizes;
    for (const LayerRow& row : layerTable(*model.family, recipe)) {
        if (row.quantized())
            return {};
        const StageRecipe& stage = recipe[row.stage];
        if (!quantizesWeights(stage.scheme))
            continue;
        scheme = stage.scheme.text();
        const LayerPlace place = model.family->layerPlace(row.stage, row.module);
        if (!sizes && !stage.filter.reasonToSkip(row.module, place))
            sizes = Note{NoteCode::NoLayerFits, {cell.layers, scheme, row.module, row.reason}};
    }
    return sizes ? sizes : Note{NoteCode::FilterMatchesNoLayer, {cell.layers, scheme}};
}

std::optional<Note> whyImpossible(const CellConfig& cell, const Model& model, const Recipe& recipe,
                                  const DeviceDescription& device)
{
    const Status shape = model.family->checkShape({cell.batch, cell.sizes});
    // What the others take for granted.
    if (const Objection reason = compileObjection(cell, recipe, device))
        return reason;
    // What the user can change at once comes first, what costs time to find out last.
    for (const Objection& reason :
         {programObjection(cell, model, recipe, device), workloadObjection(cell, model, recipe),
          attentionObjection(cell, recipe, device), inputObjection(cell, device),
          generationObjection(device), foreignSizeObjection(cell, model),
          storedObjection(model, recipe), lengthObjection(cell, model),
          schemeObjection(recipe, device), shape.ok() ? Objection() : remark(shape.error().message),
          imageObjection(cell), memoryObjection(model, recipe, device),
          whyNoLayer(cell, model, recipe)}) {
        if (reason)
            return reason;
    }
    return regionObjection(cell, model, recipe);
}

namespace {

// Of the layers that the filter of a stage hits.
struct Hits {
    int layers = 0;
    int skipped = 0;  // that the precision cannot take
    std::int64_t weights = 0;
    std::int64_t skippedWeights = 0;
    std::string reason;  // of the first that is skipped
};

Hits countHits(const Model& model, const Recipe& recipe, const std::vector<LayerRow>& rows,
               std::size_t stage)
{
    Hits hits;
    for (const LayerRow& row : rows) {
        const LayerPlace place = model.family->layerPlace(row.stage, row.module);
        if (row.stage != stage || recipe[stage].filter.reasonToSkip(row.module, place))
            continue;
        ++hits.layers;
        hits.weights += row.parameters;
        if (row.matched)
            continue;
        hits.reason = ++hits.skipped == 1 ? row.reason : hits.reason;
        hits.skippedWeights += row.parameters;
    }
    return hits;
}

}  // namespace

std::vector<Note> notesOnStages(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    std::vector<bool> quantized(recipe.size(), false);
    const std::vector<LayerRow> rows = layerTable(*model.family, recipe);
    for (const LayerRow& row : rows) {
        if (row.quantized())
            quantized[row.stage] = true;
    }
    std::vector<Note> notes;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        if (quantizesWeights(recipe[stage].scheme) && !quantized[stage])
            notes.push_back({NoteCode::FilterMatchesNone,
                             {cell.layers, model.family->stages()[stage].name,
                              std::string(name(workingTypeOf(recipe[stage].scheme)))}});
        if (!quantized[stage])
            continue;
        const Hits hits = countHits(model, recipe, rows, stage);
        if (hits.skipped > 0)
            notes.push_back(
                {NoteCode::LayersSkipped,
                 {model.family->stages()[stage].name, static_cast<double>(hits.skipped),
                  static_cast<double>(hits.layers),
                  static_cast<double>(hits.skippedWeights) / static_cast<double>(hits.weights),
                  recipe[stage].scheme.text(), hits.reason}});
    }
    return notes;
}

}  // namespace qs::core
