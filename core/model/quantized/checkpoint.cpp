#include "core/model/quantized/checkpoint.h"

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/model/checkpoint_tensors.h"
#include "core/model/family_registry.h"
#include "core/model/quantized/layout.h"
#include "core/model/quantized/packed_layout.h"
#include "core/model/quantized/torchao_layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

namespace qs::core::quantized {

namespace fs = std::filesystem;

namespace {

fs::path fileOf(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error) ? path / kFile : path;
}

enum class Layout { Own, Packed, TorchAo };

// By metadata and the configuration beside the file; nothing if it is none.
std::optional<Layout> layoutOf(const SafetensorsFile& file)
{
    if (textOf(file, "format") == kLayout)
        return Layout::Own;
    if (hasTorchAoTexts(file))
        return Layout::TorchAo;
    return hasPackedConfig(file.path()) ? std::optional(Layout::Packed) : std::nullopt;
}

// Of our own layout. What the parts have to be is the scheme's to say, when they are loaded.
Result<QuantizedWeights> ownWeights(const SafetensorsFile& file)
{
    if (textOf(file, "version") != kLayoutVersion)
        return refuse(file, "its layout has the version \"" + textOf(file, "version") +
                                "\", and only " + kLayoutVersion + " can be read");
    QS_TRY(const Json json, parseJson(textOf(file, "schemes"), file.path().string()));
    if (!json.is_object())
        return refuse(file, "its schemes are no object");
    QuantizedWeights weights;
    for (const auto& [name, scheme] : json.items()) {
        if (!scheme.is_string())
            return refuse(file, "the scheme of " + name + " is no text");
        weights[name].scheme = scheme.get<std::string>();
    }
    for (const TensorEntry& entry : file.tensors()) {
        const std::size_t colon = entry.name.find(':');
        const auto found = weights.find(entry.name.substr(0, colon));
        if (colon != std::string::npos && found != weights.end())
            found->second.parts[entry.name.substr(colon + 1)] = {.name = entry.name};
    }
    for (const auto& [name, weight] : weights) {
        if (weight.parts.empty())
            return refuse(file, name + ":codes is missing");
    }
    return weights;
}

Result<QuantizedWeights> weightsOf(const SafetensorsFile& file, Layout layout)
{
    switch (layout) {
    case Layout::Own:
        return ownWeights(file);
    case Layout::Packed:
        return packedWeights(file);
    case Layout::TorchAo:
        break;
    }
    return torchAoWeights(file);
}

// The architecture, with weights that nobody reads.
Result<OpenedModel> architecture(const SafetensorsFile& file)
{
    const std::string reference = textOf(file, kArchitectureKey);
    if (reference.empty())
        return Error{ErrorCode::Unsupported,
                     file.path().string() +
                         ": its metadata name no architecture, as quantscope-cli quantize writes "
                         "it; quantized checkpoints of other programs cannot be opened"};
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (family.generate && reference.starts_with(family.name + ":"))
            return family.generate(reference.substr(family.name.size() + 1), 0);
    }
    return refuse(file, "its architecture \"" + reference + "\" is of no known family");
}

struct Reading {
    const SafetensorsFile& file;
    QuantizedWeights quantized;   // those of the architecture are taken out
    std::set<std::string> known;  // of the tensors of the file
    Model& model;
    LoadReport& report;
    StoredWeights stored = {};
};

// [out, in] of what is multiplied.
std::vector<std::int64_t> matrixShape(const WeightSpec& spec)
{
    const std::int64_t out = spec.shape.empty() ? 0 : spec.shape.front();
    return {out, out == 0 ? 0 : spec.elementCount() / out};
}

void placeQuantized(Reading& reading, const std::string& key, const std::string& name,
                    const WeightSpec& spec, const QuantizedWeight& weight)
{
    if (!weight.shape.empty() && weight.shape != matrixShape(spec))
        reading.report.misshaped.push_back(name + ": file " + shapeText(weight.shape) +
                                           ", architecture " + shapeText(spec.shape));
    reading.model.quantized.emplace(key, weight.scheme);
    for (const auto& [part, place] : weight.parts) {
        reading.known.insert(place.name);
        reading.stored.places[key + ":" + part] = place;
    }
}

void placeWeight(Reading& reading, const StageInfo& stage, const WeightSpec& spec,
                 const std::string& prefix)
{
    const std::string name = prefix + spec.name;
    const std::string key = stage.name + "/" + spec.name;
    const auto quantized = reading.quantized.extract(name);
    if (!quantized.empty())
        placeQuantized(reading, key, name, spec, quantized.mapped());
    const TensorEntry* entry = reading.file.find(name);
    if (entry == nullptr) {
        if (quantized.empty())
            reading.report.missing.push_back(name + " " + shapeText(spec.shape));
        return;
    }
    reading.known.insert(name);
    const std::vector<std::int64_t> shape(entry->shape.begin(), entry->shape.end());
    if (shape != spec.shape || !isLoadable(entry->dtype))
        reading.report.misshaped.push_back(name + ": file " + std::string(toString(entry->dtype)) +
                                           " " + shapeText(shape) + ", architecture " +
                                           shapeText(spec.shape) + " of F32, F64, F16 or BF16");
    reading.stored.places[key] = {0, name};
}

// The tensors of the file, by the weights that the architecture has.
Status place(Reading& reading)
{
    const ModelFamily& family = *reading.model.family;
    const auto& stages = family.stages();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        for (const WeightSpec& spec : stages[i].weights) {
            if (!stages[i].sharedWith)
                placeWeight(reading, stages[i], spec, weightPrefix(family, i));
        }
    }
    if (!reading.quantized.empty())
        return refuse(reading.file, reading.quantized.begin()->first +
                                        " is quantized there, but is no weight of " +
                                        textOf(reading.file, kArchitectureKey));
    for (const TensorEntry& entry : reading.file.tensors()) {
        // weight_shape is read with the header.
        if (!reading.known.contains(entry.name) && !entry.name.ends_with(".weight_shape"))
            reading.report.unexpected.push_back(entry.name);
    }
    return {};
}

Status read(const fs::path& path, OpenedModel& opened)
{
    QS_TRY(const SafetensorsFile file, openSafetensors(fileOf(path)));
    const auto layout = layoutOf(file);
    if (!layout)
        return refuse(file, "it is of no known layout of quantized weights");
    QS_TRY(QuantizedWeights weights, weightsOf(file, *layout));
    QS_TRY(OpenedModel bare, architecture(file));
    opened.model = std::move(bare.model);
    opened.model.reference = path.string();
    opened.model.displayName += ", quantized";
    opened.model.untrained = textOf(file, kTrainedKey) != "yes";
    std::set<std::string> names;
    for (const auto& [name, weight] : weights)
        names.insert(weight.scheme);
    Reading reading{file, std::move(weights), {}, opened.model, opened.report};
    reading.stored.files.push_back(file.path());
    QS_RETURN_IF_ERROR(place(reading));
    opened.model.weights = std::move(reading.stored);
    opened.report.recognised =
        opened.model.displayName + ", from " + file.path().filename().string();
    opened.report.storedTypes = listText({names.begin(), names.end()});
    return {};
}

Error incomplete(const fs::path& path, const LoadReport& report)
{
    return {ErrorCode::Format, fileOf(path).string() + ": " + report.text()};
}

// Of what outputs depend on: a configuration beside the file is a part of it.
std::string identityOf(const SafetensorsFile& file, const std::string& hash, const Model& model)
{
    if (layoutOf(file) != Layout::Packed)
        return hash;
    std::string text = hash;
    for (const auto& [weight, scheme] : model.quantized)
        text += "\n" + weight + " " + scheme;
    return sha256Hex(text);
}

}  // namespace

std::string weightPrefix(const ModelFamily& family, std::size_t stage)
{
    const auto& stages = family.stages();
    const auto owners = std::count_if(stages.begin(), stages.end(),
                                      [](const StageInfo& each) { return !each.sharedWith; });
    return owners < 2 ? std::string() : stages[weightOwner(family, stage)].name + ".";
}

std::string architectureOf(const Model& model)
{
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (!family.generate)
            continue;
        const auto made = family.generate(model.variant, 0);
        if (!made.ok() || made.value().model.variant != model.variant)
            continue;
        const auto& stages = made.value().model.family->stages();
        const auto& own = model.family->stages();
        const bool same = std::equal(
            stages.begin(), stages.end(), own.begin(), own.end(), [](const auto& a, const auto& b) {
                return a.name == b.name &&
                       std::equal(a.weights.begin(), a.weights.end(), b.weights.begin(),
                                  b.weights.end(), [](const auto& x, const auto& y) {
                                      return x.name == y.name && x.shape == y.shape;
                                  });
            });
        if (same)
            return family.name + ":" + model.variant;
    }
    return {};
}

bool isCheckpoint(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(fileOf(path), error))
        return false;
    const auto file = openSafetensors(fileOf(path));
    return file.ok() && layoutOf(file.value()).has_value();
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    OpenedModel opened;
    QS_RETURN_IF_ERROR(read(path, opened));
    if (!opened.report.complete())
        return incomplete(path, opened.report);
    QS_TRY(const SafetensorsFile file, openSafetensors(fileOf(path)));
    QS_TRY(const std::string hash, file.rememberedContentHash());
    opened.model.contentId = "sha256:" + identityOf(file, hash, opened.model);
    return opened;
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    OpenedModel opened;
    ModelInspection inspection;
    inspection.status = read(path, opened);
    if (inspection.status.ok() && !opened.report.complete())
        inspection.status = incomplete(path, opened.report);
    inspection.reference = path.string();
    inspection.displayName = std::move(opened.model.displayName);
    inspection.family = std::move(opened.model.family);
    inspection.trained = !opened.model.untrained;
    inspection.files = {fileOf(path)};
    std::error_code error;
    inspection.fileBytes = fs::file_size(fileOf(path), error);
    inspection.report = std::move(opened.report);
    return inspection;
}

}  // namespace qs::core::quantized
