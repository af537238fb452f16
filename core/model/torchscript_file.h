#pragma once

#include "core/base/zip_archive.h"

#include <cstdint>
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
    std::uint64_t codeFiles = 0;
    std::uint64_t codeBytes = 0;
    std::uint64_t tensors = 0;
    std::uint64_t tensorBytes = 0;

    [[nodiscard]] std::string text() const;
};

// Nothing if the archive has no code.
[[nodiscard]] std::optional<TorchScriptSummary> torchScriptSummary(const ZipArchive& archive);

}  // namespace qs::core
