#pragma once

#include <filesystem>

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

}  // namespace qs::app
