#include "core/model/olmoearth/checkpoint.h"

#include "core/model/checkpoint_tensors.h"
#include "core/model/olmoearth/olmoearth.h"

#include <array>
#include <string>

namespace qs::core::olmoearth {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEncoder = "encoder.";
constexpr std::string_view kPositions = "composite_encodings.pos_embed";
constexpr std::int64_t kMostBlocks = 1000;

fs::path fileOf(const fs::path& path)
{
    std::error_code ignored;
    if (!fs::is_directory(path, ignored))
        return path;
    const fs::path named = path / "weights.safetensors";
    return fs::exists(named, ignored) ? named : path / "model.safetensors";
}

// What a pass does not read: the decoder, the target, the aggregation, other sensors and maps.
bool isUnread(std::string_view name)
{
    if (name.starts_with("project_and_aggregate."))
        return true;
    constexpr std::array<std::string_view, 2> kByModality{
        "patch_embeddings.per_modality_embeddings.",
        "composite_encodings.per_modality_channel_embeddings."};
    for (const std::string_view prefix : kByModality) {
        if (!name.starts_with(prefix))
            continue;
        const std::string_view rest = name.substr(prefix.size());
        for (const Modality& each : modalities()) {
            if (rest.substr(0, rest.find('.')) == each.name)
                return false;
        }
        return true;
    }
    return false;
}

std::string presentName(const std::string& stored)
{
    if (stored.starts_with("decoder.") || stored.starts_with("target_encoder.") ||
        stored.starts_with("reconstructor."))
        return {};
    const std::string name = stored.starts_with(kEncoder) ? stored.substr(kEncoder.size()) : stored;
    return isUnread(name) ? std::string() : name;
}

std::int64_t blocksOf(const CheckpointTensors& tensors)
{
    std::int64_t count = 0;
    while (count < kMostBlocks &&
           tensors.find("blocks." + std::to_string(count) + ".attn.q.weight", 2) != nullptr)
        ++count;
    return count;
}

Result<Variant> inferVariant(const fs::path& path, const CheckpointTensors& tensors)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format, path.string() + ": " + why};
    };
    const StoredTensor* positions = tensors.find(std::string(kPositions), 2);
    const StoredTensor* norm = tensors.find("norm.weight", 1);
    if (positions == nullptr || norm == nullptr)
        return refuse("this is no OlmoEarth encoder, or a part of it is missing: "
                      "composite_encodings.pos_embed and norm decide about the architecture");
    Variant variant;
    variant.width = norm->shape[0];
    variant.depth = blocksOf(tensors);
    const PublishedSize* size = findSize(variant.width, variant.depth);
    if (size == nullptr)
        return refuse("no published OlmoEarth encoder has width " + std::to_string(variant.width) +
                      " and " + std::to_string(variant.depth) +
                      " blocks, and its heads cannot be told from the tensors");
    variant.heads = size->heads;
    variant.seen.clear();
    for (std::size_t i = 0; i < modalities().size(); ++i) {
        const std::string name(modalities()[i].name);
        const std::string first =
            "patch_embeddings.per_modality_embeddings." + name + "." + name + "__0.proj.weight";
        if (tensors.find(first, 4) != nullptr)
            variant.seen.push_back(i);
        else if (tensors.find(first, 2) != nullptr)
            return refuse(name + " is embedded by a Linear (version 1.1 or later); encoders with "
                                 "convolutions (version 1) can be opened");
    }
    if (variant.seen.empty())
        return refuse("it sees neither Sentinel-2 nor Sentinel-1 nor Landsat");
    return variant;
}

Status readHeaders(const fs::path& path, CheckpointHeaders& headers)
{
    headers.displayName =
        "OlmoEarth " + (path.has_filename() ? path : path.parent_path()).filename().string();
    headers.stored.files = {fileOf(path)};
    QS_RETURN_IF_ERROR(
        readCheckpointTensors(headers.stored.files, presentName, headers.tensors, headers.report));
    headers.report.renamed.clear();  // every name has the prefix
    QS_TRY(const Variant variant, inferVariant(path, headers.tensors));
    headers.variant = toText(variant);
    headers.family = makeFamily(variant);
    headers.stored = placeWeights(*headers.family, headers.tensors, headers.report);
    headers.report.recognised = "OlmoEarth encoder " + headers.variant + ", " +
                                std::to_string(headers.tensors.byName.size()) + " tensors";
    if (headers.report.complete())
        return {};
    return Error{ErrorCode::Format, path.string() + ": " + headers.report.text()};
}

}  // namespace

bool isCheckpoint(const fs::path& path)
{
    const auto file = openSafetensors(fileOf(path));
    if (!file.ok())
        return false;
    const std::string positions(kPositions);
    return file.value().find(positions) != nullptr ||
           file.value().find(std::string(kEncoder) + positions) != nullptr;
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    return openByHeaders(path, readHeaders);
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    return inspectByHeaders(path, readHeaders);
}

}  // namespace qs::core::olmoearth
