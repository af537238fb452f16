#include "core/model/te_llama/fused_checkpoint.h"

#include "core/base/json.h"
#include "core/model/checkpoint_tensors.h"
#include "core/model/foreign_file.h"
#include "core/model/te_llama/fused_family.h"

#include <nlohmann/json.hpp>

namespace qs::core::te_llama {

namespace fs = std::filesystem;

namespace {

Result<Variant> fusedVariantIn(const fs::path& file)
{
    QS_TRY(const Json json, readJsonFile(file));
    const auto found = json.find("variant");
    if (found == json.end() || !found->is_string())
        return Error{ErrorCode::Format,
                     file.string() + ": variant is missing; convert the model once more"};
    auto variant = parseVariant(found->get<std::string>());
    if (!variant.ok())
        return variant.error().within(file.string() + ": variant");
    return variant;
}

Status readHeaders(const fs::path& path, CheckpointHeaders& headers)
{
    const fs::path folder = checkpointFolder(path);
    headers.displayName =
        "Fused Llama " +
        (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    QS_TRY(const Variant variant, fusedVariantIn(folder / "config.json"));
    headers.stored.files = {folder / "model.safetensors"};
    QS_RETURN_IF_ERROR(readCheckpointTensors(
        headers.stored.files, [](const std::string& name) { return name; }, headers.tensors,
        headers.report));
    headers.variant = toText(variant);
    headers.family = makeFamily(variant);
    headers.stored = placeWeights(*headers.family, headers.tensors, headers.report);
    headers.report.recognised = "Llama with fused products " + headers.variant + ", " +
                                std::to_string(headers.tensors.byName.size()) + " tensors";
    if (headers.report.complete())
        return {};
    return Error{ErrorCode::Format, folder.string() + ": " + headers.report.text()};
}

}  // namespace

bool isCheckpoint(const fs::path& path)
{
    const fs::path file = checkpointFolder(path) / "config.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored) || (path.extension() != ".json" && foreignFormat(path)))
        return false;
    const auto json = readJsonFile(file);
    return json.ok() && json.value().is_object() &&
           json.value().value("model_type", Json()) == Json(kModelType);
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    return openConfigured(path, readHeaders);
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    return inspectByHeaders(path, readHeaders);
}

}  // namespace qs::core::te_llama
