#include "core/sweep/validity.h"

#include "core/base/format.h"
#include "core/image/resize.h"
#include "core/lower/program.h"
#include "core/sweep/input_residency.h"

#include <algorithm>

namespace qs::core {

namespace {

bool anyStageQuantizes(const Recipe& recipe)
{
    return std::any_of(recipe.begin(), recipe.end(),
                       [](const StageRecipe& stage) { return quantizesWeights(stage.scheme); });
}

bool attendsInFloat32(const Scheme& scheme)
{
    return scheme->attentionType.value_or(scheme->workingType) == DType::Float32;
}

bool onCuda(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cuda;
}

// The first generation that the libraries of CUDA 13 hold code for, and that multiplies int8.
std::string generationObjection(const DeviceDescription& device)
{
    return whyNot({.what = "the libraries of CUDA 13",
                   .computeMajor = 7,
                   .computeMinor = 5,
                   .generations = "Turing or newer"},
                  device);
}

std::string compileObjection(const CellConfig& cell, const Recipe& recipe,
                             const DeviceDescription& device)
{
    const auto modes = parseCompileModes(cell.compile, recipe.size());
    if (!modes.ok())
        return modes.error().message;
    for (const CompileMode& mode : modes.value()) {
        if (std::string reason = whyNot(mode->needs, device); !reason.empty())
            return reason;
    }
    return {};
}

std::string schemeObjection(const Recipe& recipe, const DeviceDescription& device)
{
    for (const StageRecipe& stage : recipe) {
        if (std::string reason = whyNot(stage.scheme->needs, device); !reason.empty())
            return reason;
    }
    return {};
}

std::string attentionObjection(const CellConfig& cell, const Recipe& recipe,
                               const DeviceDescription& device)
{
    const auto parsed = parseAttentionKernel(cell.attention);
    if (!parsed.ok())
        return parsed.error().message;
    const AttentionKernel kernel = parsed.value();
    const std::string what = "the " + std::string(name(kernel)) + " attention kernel";
    const bool cudaOnly = kernel == AttentionKernel::Efficient || kernel == AttentionKernel::Cudnn;
    if (cudaOnly && !onCuda(device))
        return what + " needs a CUDA device; a CPU has auto, math and flash";
    // The flash kernel of the CPU takes float32 as well.
    const bool narrowOnly = kernel == AttentionKernel::Flash || kernel == AttentionKernel::Cudnn;
    if (!narrowOnly || !onCuda(device))
        return {};
    if (std::string reason = whyNot({.what = "the flash and cudnn attention kernels",
                                     .computeMajor = 8,
                                     .generations = "Ampere or newer"},
                                    device);
        !reason.empty())
        return reason;
    for (const StageRecipe& stage : recipe) {
        if (attendsInFloat32(stage.scheme))
            return what + " needs queries, keys and values of 16 bits; " + stage.scheme.text() +
                   " attends in float32";
    }
    return {};
}

// Why the scheme would change nothing at all: the run would repeat the working type under another
// name.
std::string matchObjection(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    if (!anyStageQuantizes(recipe))
        return {};
    std::string sizes;
    std::string scheme;
    for (const LayerRow& row : layerTable(*model.family, recipe)) {
        if (row.quantized())
            return {};
        const StageRecipe& stage = recipe[row.stage];
        if (!quantizesWeights(stage.scheme))
            continue;
        scheme = stage.scheme.text();
        const LayerPlace place = model.family->layerPlace(row.stage, row.module);
        if (sizes.empty() && !stage.filter.reasonToSkip(row.module, place))
            sizes = row.module + ": " + row.reason;
    }
    const std::string filter = "the layer filter \"" + cell.layers + "\" matches no layer";
    return sizes.empty() ? filter + ", so that " + scheme + " would change nothing"
                         : filter + " that " + scheme + " can multiply; " + sizes;
}

std::string inputObjection(const CellConfig& cell, const DeviceDescription& device)
{
    const auto residency = parseInputResidency(cell.inputs);
    if (!residency.ok())
        return residency.error().message;
    if (residency.value() != InputResidency::Device && !onCuda(device))
        return "inputs are copied to a CUDA device; " + device.id + " reads them where they are";
    return {};
}

// A size that was asked for but that the model does not have.
std::string foreignSizeObjection(const CellConfig& cell, const Model& model)
{
    for (const NamedSize& size : cell.sizes) {
        if (model.family->workload().findSize(size.name) == nullptr)
            return "the model has no size \"" + size.name + "\"";
    }
    return {};
}

std::string imageObjection(const CellConfig& cell)
{
    if (cell.imageSize() <= kLargestCrop)
        return {};
    return "images of " + std::to_string(cell.imageSize()) + " px cannot be made; " +
           std::to_string(kLargestCrop) + " px are the most";
}

std::string memoryObjection(const Model& model, const Recipe& recipe,
                            const DeviceDescription& device)
{
    const std::int64_t bytes = residentWeightBytes(*model.family, recipe);
    if (device.memoryBytes == 0 || bytes <= device.memoryBytes)  // 0: not known
        return {};
    return "the weights alone need " + formatBytes(static_cast<double>(bytes)) +
           " in this precision; " + device.name + " has " +
           formatBytes(static_cast<double>(device.memoryBytes));
}

}  // namespace

std::string whyImpossible(const CellConfig& cell, const Model& model, const Recipe& recipe,
                          const DeviceDescription& device)
{
    const Status shape = model.family->checkShape({cell.batch, cell.sizes});
    // What the user can change at once comes first, what costs time to find out last.
    for (const std::string& reason :
         {compileObjection(cell, recipe, device), attentionObjection(cell, recipe, device),
          inputObjection(cell, device), generationObjection(device),
          foreignSizeObjection(cell, model), schemeObjection(recipe, device),
          shape.ok() ? std::string() : shape.error().message, imageObjection(cell),
          memoryObjection(model, recipe, device), matchObjection(cell, model, recipe)}) {
        if (!reason.empty())
            return reason;
    }
    return {};
}

std::vector<Note> notesOnStages(const CellConfig& cell, const Model& model, const Recipe& recipe)
{
    std::vector<bool> quantized(recipe.size(), false);
    for (const LayerRow& row : layerTable(*model.family, recipe)) {
        if (row.quantized())
            quantized[row.stage] = true;
    }
    std::vector<Note> notes;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        if (quantizesWeights(recipe[stage].scheme) && !quantized[stage])
            notes.push_back({NoteCode::FilterMatchesNone,
                             {cell.layers, model.family->stages()[stage].name,
                              std::string(name(recipe[stage].scheme->workingType))}});
    }
    return notes;
}

}  // namespace qs::core
