#include "core/model/resnet/checkpoint.h"

#include "core/model/checkpoint_tensors.h"
#include "core/model/resnet/resnet.h"

#include <string>

namespace qs::core::resnet {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostBlocks = 64;

fs::path fileOf(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? path / "model.safetensors" : path;
}

// The counter of training steps is of no use here. Data-parallel training prefixes names.
std::string presentName(const std::string& stored)
{
    static constexpr std::string_view kParallel = "module.";
    std::string name = stored.starts_with(kParallel) ? stored.substr(kParallel.size()) : stored;
    return name.ends_with(".num_batches_tracked") ? std::string() : name;
}

// The blocks that follow each other without a gap.
std::int64_t blocksOf(const CheckpointTensors& tensors, std::size_t layer)
{
    std::int64_t count = 0;
    const std::string prefix = "layer" + std::to_string(layer + 1) + ".";
    while (count < kMostBlocks &&
           tensors.find(prefix + std::to_string(count) + ".conv1.weight", 4) != nullptr)
        ++count;
    return count;
}

Result<Variant> inferVariant(const fs::path& path, const CheckpointTensors& tensors)
{
    const StoredTensor* stem = tensors.find("conv1.weight", 4);
    const StoredTensor* head = tensors.find("fc.weight", 2);
    Variant variant;
    bool whole = stem != nullptr && head != nullptr;
    for (std::size_t layer = 0; layer < variant.blocks.size(); ++layer) {
        variant.blocks[layer] = blocksOf(tensors, layer);
        whole = whole && variant.blocks[layer] > 0;
    }
    if (!whole || stem->shape[0] < 1 || stem->shape[0] > 4096 || head->shape[0] < 1)
        return Error{ErrorCode::Format,
                     path.string() + ": this is no ResNet of basic blocks, or a part of it is "
                                     "missing: conv1, layer1 to layer4 and fc decide about the "
                                     "architecture"};
    variant.width = stem->shape[0];
    variant.classes = head->shape[0];
    return variant;
}

Status readHeaders(const fs::path& path, CheckpointHeaders& headers)
{
    headers.displayName =
        "ResNet " + (path.has_filename() ? path : path.parent_path()).filename().string();
    headers.stored.files = {fileOf(path)};
    QS_RETURN_IF_ERROR(
        readCheckpointTensors(headers.stored.files, presentName, headers.tensors, headers.report));
    QS_TRY(const Variant variant, inferVariant(path, headers.tensors));
    headers.variant = toText(variant);
    headers.family = makeFamily(variant);
    headers.stored = placeWeights(*headers.family, headers.tensors, headers.report);
    headers.report.recognised = "ResNet " + headers.variant + ", " +
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
    const auto has = [&](const std::string& name) {
        return file.value().find(name) != nullptr || file.value().find("module." + name) != nullptr;
    };
    return has("conv1.weight") && has("layer1.0.conv1.weight");
}

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    return openByHeaders(path, readHeaders);
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    return inspectByHeaders(path, readHeaders);
}

}  // namespace qs::core::resnet
