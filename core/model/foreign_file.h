#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// What a file is that was opened as a model but is none that QuantScope reads, by its first bytes:
// "is a PyTorch archive (a zip file with pickles); QuantScope reads safetensors: …". Nothing for
// safetensors, folders and what nobody knows. Reads a few hundred bytes and runs nothing.
[[nodiscard]] std::optional<std::string> foreignFormat(const std::filesystem::path& file);

// What a folder holds in place of safetensors, if that is a pickle: "holds weights.pth, a pickle
// …", with the line that converts it. Lists the folder and opens nothing.
[[nodiscard]] std::optional<std::string> pickleInFolder(const std::filesystem::path& folder);

}  // namespace qs::core
