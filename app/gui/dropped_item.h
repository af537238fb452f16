#pragma once

#include "core/base/result.h"
#include "core/sweep/preset.h"

#include <filesystem>
#include <optional>

namespace qs::app {

// What a file or folder that was dropped on the window, or named on the command line, is for.
enum class DroppedItem {
    Preset,     // a JSON file
    RunFolder,  // has a journal
    Model,      // .safetensors, or a folder with some
    Pictures,   // PNG or JPEG, or a folder with some
    Unknown,
};

// Looks at names only: whether the content is right is found out by whoever opens it.
[[nodiscard]] DroppedItem classifyItem(const std::filesystem::path& path);

// A PNG file by its name. The answer needs reading: embeddedPreset().
[[nodiscard]] bool mayHoldPreset(const std::filesystem::path& path);

// The preset that an exported figure or comparison carries; nothing in any other picture, and an
// error if there is one that cannot be used. Reads the start of the file; for a thread of the pool.
using EmbeddedPreset = core::Result<std::optional<core::Preset>>;
[[nodiscard]] EmbeddedPreset embeddedPreset(const std::filesystem::path& path);

}  // namespace qs::app
