#include "app/gui/dropped_item.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_json.h"
#include "core/image/png_codec.h"
#include "core/record/journal/journal_place.h"
#include "widgets/compare/comparison_export.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

// A folder of photographs may be huge; its kind shows early.
constexpr int kMostEntries = 2000;

// Texts stand before the pixels. A preset has kilobytes; a picture whose texts do not end here is
// none of ours.
constexpr std::size_t kTextBytes = std::size_t{8} << 20U;

// What is no safetensors and no .pt2 is told of, with what can be done; a .pt is converted if it is
// a program that its user trusts.
constexpr std::string_view kOfModels[] = {".safetensors", ".pt2",  ".pt",   ".pth", ".ckpt", ".bin",
                                          ".pkl",         ".onnx", ".gguf", ".h5",  ".npz"};

std::string extensionOf(const fs::path& path)
{
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension;
}

core::Result<std::vector<std::byte>> startOf(const fs::path& path)
{
    QS_TRY(const core::FileDescriptor file, core::openForReading(path));
    std::vector<std::byte> bytes(kTextBytes);
    std::size_t used = 0;
    while (used < bytes.size()) {
        QS_TRY(const std::size_t count, core::readSome(file, std::span(bytes).subspan(used), path));
        if (count == 0)
            break;
        used += count;
    }
    bytes.resize(used);
    return bytes;
}

EmbeddedPreset presetOf(const std::string& text, const fs::path& path)
{
    QS_TRY(core::ParsedJson parsed, core::ParsedJson::parse(text, path.string()));
    const core::Json json = core::cleanTexts(std::move(parsed), text).root().json();
    std::vector<core::JsonIssue> issues;
    core::Preset preset = core::presetFromJson(json, issues);
    if (!issues.empty())
        return core::Error{core::ErrorCode::Format,
                           path.string() + ": not a usable preset:\n" + core::formatIssues(issues)};
    return std::optional(std::move(preset));
}

DroppedItem classifyFile(const fs::path& path)
{
    const std::string extension = extensionOf(path);
    if (extension == ".json")
        return DroppedItem::Preset;
    if (std::find(std::begin(kOfModels), std::end(kOfModels), extension) != std::end(kOfModels))
        return DroppedItem::Model;
    const bool picture = extension == ".png" || extension == ".jpg" || extension == ".jpeg";
    return picture ? DroppedItem::Pictures : DroppedItem::Unknown;
}

}  // namespace

DroppedItem classifyItem(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_directory(path, error))
        return fs::is_regular_file(path, error) ? classifyFile(path) : DroppedItem::Unknown;
    if (core::isThere(core::journalPlace(path)))
        return DroppedItem::RunFolder;
    DroppedItem found = DroppedItem::Unknown;
    fs::directory_iterator at(path, error);
    for (int seen = 0; !error && at != fs::directory_iterator() && seen < kMostEntries; ++seen) {
        const DroppedItem item = classifyFile(at->path());
        // Weights decide: a checkpoint folder may hold sample pictures as well.
        if (item == DroppedItem::Model)
            return item;
        if (item == DroppedItem::Pictures)
            found = item;
        at.increment(error);
    }
    return found;
}

bool mayHoldPreset(const fs::path& path)
{
    std::error_code error;
    return extensionOf(path) == ".png" && fs::is_regular_file(path, error);
}

EmbeddedPreset embeddedPreset(const fs::path& path)
{
    try {
        const auto bytes = startOf(path);
        if (!bytes.ok())
            return bytes.error();
        // A damaged or unusual PNG is the business of whoever reads its pixels.
        const auto texts = core::decodePngTexts(bytes.value());
        if (!texts.ok())
            return std::optional<core::Preset>();
        const auto found = texts.value().find(widgets::kPresetKeyword);
        return found == texts.value().end() ? std::optional<core::Preset>()
                                            : presetOf(found->second, path);
    } catch (const std::exception& failure) {
        return core::Error{core::ErrorCode::Internal, path.string() + ": " + failure.what()};
    }
}

}  // namespace qs::app
