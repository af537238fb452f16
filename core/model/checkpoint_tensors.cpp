#include "core/model/checkpoint_tensors.h"

#include "core/base/sha256.h"

#include <algorithm>
#include <set>
#include <utility>

namespace qs::core {

namespace {

Status collect(const SafetensorsFile& file, std::size_t index, const TensorRename& rename,
               CheckpointTensors& tensors, LoadReport& report)
{
    for (const TensorEntry& entry : file.tensors()) {
        const std::string name = rename(entry.name);
        if (name.empty())
            continue;
        if (name != entry.name)
            report.renamed.push_back(entry.name + " -> " + name);
        std::vector<std::int64_t> shape(entry.shape.begin(), entry.shape.end());
        const auto [found, fresh] = tensors.byName.emplace(
            name, StoredTensor{index, entry.name, std::move(shape), entry.dtype});
        if (!fresh)
            return Error{ErrorCode::Format, file.path().string() + ": " + name +
                                                " is stored twice, as " + found->second.storedName +
                                                " and " + entry.name};
    }
    return {};
}

// Nothing if it can be loaded.
std::string objectionTo(const StoredTensor& tensor, const WeightSpec& spec)
{
    if (tensor.shape != spec.shape)
        return spec.name + ": file " + shapeText(tensor.shape) + ", architecture " +
               shapeText(spec.shape);
    if (!isLoadable(tensor.type))
        return spec.name + ": stored as " + std::string(toString(tensor.type)) +
               "; only F32, F64, F16 and BF16 can be loaded";
    return {};
}

}  // namespace

const StoredTensor* CheckpointTensors::find(const std::string& name, std::size_t rank) const
{
    const auto found = byName.find(name);
    return found == byName.end() || found->second.shape.size() != rank ? nullptr : &found->second;
}

std::uint64_t CheckpointTensors::fileBytes() const
{
    std::uint64_t bytes = 0;
    for (const SafetensorsFile& file : files)
        bytes += file.fileBytes();
    return bytes;
}

Result<std::string> CheckpointTensors::contentId() const
{
    Sha256 identity;
    for (const SafetensorsFile& file : files) {
        QS_TRY(const std::string hash, file.rememberedContentHash());
        identity.update(hash);
    }
    return "sha256:" + identity.hex();
}

Status readCheckpointTensors(const std::vector<std::filesystem::path>& files,
                             const TensorRename& rename, CheckpointTensors& tensors,
                             LoadReport& report)
{
    for (std::size_t i = 0; i < files.size(); ++i) {
        QS_TRY(SafetensorsFile each, openSafetensors(files[i]));
        QS_RETURN_IF_ERROR(collect(each, i, rename, tensors, report));
        tensors.files.push_back(std::move(each));
    }
    return {};
}

StoredWeights placeWeights(const ModelFamily& family, const CheckpointTensors& tensors,
                           LoadReport& report)
{
    StoredWeights stored;
    for (const SafetensorsFile& file : tensors.files)
        stored.files.push_back(file.path());
    std::set<std::string> known;
    for (const StageInfo& stage : family.stages()) {
        if (stage.sharedWith)
            continue;
        for (const WeightSpec& spec : stage.weights) {
            known.insert(spec.name);
            const auto found = tensors.byName.find(spec.name);
            if (found == tensors.byName.end()) {
                report.missing.push_back(spec.name + " " + shapeText(spec.shape));
            } else if (std::string objection = objectionTo(found->second, spec);
                       !objection.empty()) {
                report.misshaped.push_back(std::move(objection));
            } else {
                stored.places[stage.name + "/" + spec.name] = {found->second.file,
                                                               found->second.storedName};
            }
        }
    }
    std::set<std::string> types;
    for (const auto& [name, found] : tensors.byName) {
        if (known.contains(name))
            types.insert(std::string(toString(found.type)));
        else
            report.unexpected.push_back(name + " " + shapeText(found.shape));
    }
    report.storedTypes = listText({types.begin(), types.end()});
    return stored;
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return toText(TensorType{DType::Float32, shape}).substr(7);
}

std::string listText(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::filesystem::path checkpointFolder(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored) ? path : path.parent_path();
}

Result<OpenedModel> openByHeaders(const std::filesystem::path& path, const HeaderReader& read)
{
    CheckpointHeaders headers;
    QS_RETURN_IF_ERROR(read(path, headers));
    OpenedModel opened;
    opened.model.family = std::move(headers.family);
    opened.model.reference = path.string();
    opened.model.variant = std::move(headers.variant);
    opened.model.displayName = std::move(headers.displayName);
    opened.report = std::move(headers.report);
    // The whole content is read only when the model is one.
    QS_TRY(opened.model.contentId, headers.tensors.contentId());
    opened.model.weights = std::move(headers.stored);
    return opened;
}

Result<OpenedModel> openConfigured(const std::filesystem::path& path, const HeaderReader& read)
{
    QS_TRY(OpenedModel opened, openByHeaders(path, read));
    opened.model.contentId =
        "sha256:" + sha256Hex(opened.model.contentId + "\n" + opened.model.variant);
    return opened;
}

ModelInspection inspectByHeaders(const std::filesystem::path& path, const HeaderReader& read)
{
    CheckpointHeaders headers;
    ModelInspection inspection;
    inspection.status = read(path, headers);
    inspection.reference = path.string();
    inspection.displayName = std::move(headers.displayName);
    inspection.trained = true;
    inspection.files = std::move(headers.stored.files);
    inspection.family = std::move(headers.family);
    inspection.report = std::move(headers.report);
    inspection.fileBytes = headers.tensors.fileBytes();
    return inspection;
}

}  // namespace qs::core
