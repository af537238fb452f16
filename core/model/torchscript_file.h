#pragma once

#include "core/base/zip_archive.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What a TorchScript archive says of itself without being run: its directory and the text of its
// code, but no pickle.
struct TorchScriptSummary {
    struct Module {
        std::string name;  // "__torch__.net.Block"
        std::vector<std::string> parameters;
        std::vector<std::string> buffers;
    };
    std::vector<Module> modules;  // classes of the code, in its order
    // Of forward() of the module that no other holds: "x: Tensor", "mask: Optional[Tensor]=None".
    std::vector<std::string> inputs;
    std::uint64_t codeFiles = 0;
    std::uint64_t codeBytes = 0;
    std::uint64_t tensors = 0;
    std::uint64_t tensorBytes = 0;

    [[nodiscard]] std::string text() const;
};

// Of a file. Nothing if it is no TorchScript archive.
[[nodiscard]] std::optional<TorchScriptSummary>
torchScriptSummary(const std::filesystem::path& file);
// Nothing if the archive has no code.
[[nodiscard]] std::optional<TorchScriptSummary> torchScriptSummary(const ZipArchive& archive);

}  // namespace qs::core
