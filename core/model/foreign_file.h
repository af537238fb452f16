#pragma once

#include "core/model/torchscript_file.h"

#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// A file that was opened as a model but is none that QuantScope reads.
struct ForeignFormat {
    // "is a PyTorch archive (a zip file with pickles); QuantScope reads safetensors: …"
    std::string text;
    std::optional<TorchScriptSummary> program = {};  // if it is one
};

// By its first bytes, and the code of a TorchScript archive. Nothing for safetensors, folders and
// what nobody knows. Runs nothing.
[[nodiscard]] std::optional<ForeignFormat> foreignFormat(const std::filesystem::path& file);

// What a folder holds in place of safetensors, if that is a pickle: "holds weights.pth, a pickle
// …", with the line that converts it. Lists the folder and opens nothing.
[[nodiscard]] std::optional<std::string> pickleInFolder(const std::filesystem::path& folder);

}  // namespace qs::core
