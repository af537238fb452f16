#include "core/model/quantized/checkpoint.h"

#include "core/base/json.h"
#include "core/model/checkpoint_tensors.h"
#include "core/model/family_registry.h"
#include "core/model/safetensors/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
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

std::string textOf(const SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

Error refuse(const SafetensorsFile& file, const std::string& why)
{
    return {ErrorCode::Format, file.path().string() + ": " + why};
}

// By the names of weights in the file, with their prefixes.
Result<std::map<std::string, std::string>> schemesOf(const SafetensorsFile& file)
{
    QS_TRY(const Json json, parseJson(textOf(file, "schemes"), file.path().string()));
    std::map<std::string, std::string> schemes;
    if (!json.is_object())
        return refuse(file, "its schemes are no object");
    for (const auto& [name, scheme] : json.items()) {
        if (!scheme.is_string())
            return refuse(file, "the scheme of " + name + " is no text");
        schemes.emplace(name, scheme.get<std::string>());
    }
    return schemes;
}

// The architecture, with weights that nobody reads.
Result<OpenedModel> architecture(const SafetensorsFile& file)
{
    const std::string reference = textOf(file, "architecture");
    for (const FamilySpec& family : familyRegistry().specs()) {
        if (family.generate && reference.starts_with(family.name + ":"))
            return family.generate(reference.substr(family.name.size() + 1), 0);
    }
    return refuse(file, "its architecture \"" + reference + "\" is of no known family");
}

struct Reading {
    const SafetensorsFile& file;
    std::map<std::string, std::string> schemes;
    std::set<std::string> known;  // of the tensors of the file
    Model& model;
    LoadReport& report;
    StoredWeights stored = {};
};

// The parts of a weight that is stored quantized. What they have to be is the scheme's to say, when
// they are loaded.
void placeParts(Reading& reading, const std::string& key, const std::string& name)
{
    bool any = false;
    for (const TensorEntry& entry : reading.file.tensors()) {
        if (!entry.name.starts_with(name + ":"))
            continue;
        any = true;
        reading.known.insert(entry.name);
        reading.stored.places[key + entry.name.substr(name.size())] = {0, entry.name};
    }
    if (!any)
        reading.report.missing.push_back(name + ":codes");
}

void placeWeight(Reading& reading, const StageInfo& stage, const WeightSpec& spec,
                 const std::string& prefix)
{
    const std::string name = prefix + spec.name;
    const std::string key = stage.name + "/" + spec.name;
    const auto scheme = reading.schemes.find(name);
    if (scheme != reading.schemes.end()) {
        reading.model.quantized.emplace(key, scheme->second);
        placeParts(reading, key, name);
    }
    const TensorEntry* entry = reading.file.find(name);
    if (entry == nullptr) {
        if (scheme == reading.schemes.end())
            reading.report.missing.push_back(name + " " + shapeText(spec.shape));
        return;
    }
    reading.known.insert(name);
    const std::vector<std::int64_t> shape(entry->shape.begin(), entry->shape.end());
    if (shape != spec.shape || !isLoadable(entry->dtype))
        reading.report.misshaped.push_back(name + ": file " + shapeText(shape) + ", architecture " +
                                           shapeText(spec.shape));
    reading.stored.places[key] = {0, name};
}

Status read(const fs::path& path, OpenedModel& opened)
{
    QS_TRY(const SafetensorsFile file, openSafetensors(fileOf(path)));
    if (textOf(file, "format") != kLayout || textOf(file, "version") != kLayoutVersion)
        return refuse(file, "it is of no known layout of quantized weights");
    QS_TRY(OpenedModel bare, architecture(file));
    opened.model = std::move(bare.model);
    opened.model.reference = path.string();
    opened.model.displayName += ", quantized";
    opened.model.untrained = textOf(file, "trained") != "yes";
    QS_TRY(auto schemes, schemesOf(file));
    std::set<std::string> names;
    for (const auto& [name, scheme] : schemes)
        names.insert(scheme);
    Reading reading{file, std::move(schemes), {}, opened.model, opened.report};
    reading.stored.files.push_back(file.path());
    const auto& stages = opened.model.family->stages();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        for (const WeightSpec& spec : stages[i].weights) {
            if (!stages[i].sharedWith)
                placeWeight(reading, stages[i], spec, weightPrefix(*opened.model.family, i));
        }
    }
    for (const TensorEntry& entry : file.tensors()) {
        if (!reading.known.contains(entry.name))
            opened.report.unexpected.push_back(entry.name);
    }
    opened.model.weights = std::move(reading.stored);
    opened.report.recognised =
        opened.model.displayName + ", from " + file.path().filename().string();
    opened.report.storedTypes = listText({names.begin(), names.end()});
    return {};
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
    return file.ok() && textOf(file.value(), "format") == kLayout;
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    OpenedModel opened;
    QS_RETURN_IF_ERROR(read(path, opened));
    if (!opened.report.complete())
        return Error{ErrorCode::Format, opened.report.text()};
    QS_TRY(const SafetensorsFile file, openSafetensors(fileOf(path)));
    QS_TRY(const std::string hash, file.rememberedContentHash());
    opened.model.contentId = "sha256:" + hash;
    return opened;
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    OpenedModel opened;
    ModelInspection inspection;
    inspection.status = read(path, opened);
    if (inspection.status.ok() && !opened.report.complete())
        inspection.status = Error{ErrorCode::Format, opened.report.text()};
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
