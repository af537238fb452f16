#include "core/model/llama/checkpoint.h"

#include "core/model/checkpoint_tensors.h"
#include "core/model/foreign_file.h"
#include "core/model/llama/config_file.h"
#include "core/model/llama/llama.h"

#include <nlohmann/json.hpp>

namespace qs::core::llama {

namespace fs = std::filesystem;

namespace {

// Of an index: two texts for each tensor.
constexpr JsonLimits kIndexLimits{.bytes = std::size_t{64} << 20U, .nodes = 2'000'000};

bool isThere(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// Buffers that old versions of the library saved, and what nobody reads.
std::string presentName(const std::string& stored)
{
    return stored.ends_with(".rotary_emb.inv_freq") ? std::string() : stored;
}

Result<std::vector<fs::path>> filesOf(const fs::path& folder)
{
    const fs::path index = folder / "model.safetensors.index.json";
    if (!isThere(index))
        return std::vector<fs::path>{folder / "model.safetensors"};
    QS_TRY(const Json json, readJsonFile(index, kIndexLimits));
    return shardsFromIndex(json, folder);
}

Status readHeaders(const fs::path& path, CheckpointHeaders& headers)
{
    const fs::path folder = checkpointFolder(path);
    headers.displayName =
        "Llama " + (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    const fs::path file = folder / "config.json";
    QS_TRY(const Json json, readJsonFile(file));
    QS_TRY(const Config config, configFromJson(json, file.string()));
    QS_TRY(headers.stored.files, filesOf(folder));
    QS_RETURN_IF_ERROR(
        readCheckpointTensors(headers.stored.files, presentName, headers.tensors, headers.report));
    headers.variant = toText(config);
    headers.family = makeFamily(config);
    headers.stored = placeWeights(*headers.family, headers.tensors, headers.report);
    headers.report.recognised = "Llama-shaped language model " + headers.variant + " from " +
                                std::to_string(headers.stored.files.size()) + " file(s), " +
                                std::to_string(headers.tensors.byName.size()) + " tensors";
    if (headers.report.complete())
        return {};
    return Error{ErrorCode::Format, folder.string() + ": " + headers.report.text()};
}

}  // namespace

bool isCheckpoint(const fs::path& path)
{
    const fs::path file = checkpointFolder(path) / "config.json";
    // A pickle beside a configuration is still a pickle.
    if (!isThere(file) || (path.extension() != ".json" && foreignFormat(path)))
        return false;
    const auto json = readJsonFile(file);
    return json.ok() && isConfigOfFamily(json.value());
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    return openConfigured(path, readHeaders);
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    return inspectByHeaders(path, readHeaders);
}

}  // namespace qs::core::llama
