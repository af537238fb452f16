#pragma once

#include "core/base/result.h"
#include "core/graph/exported/exported_program.h"
#include "core/graph/tensor_slice.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace qs::core::exported {

// A .pt2 of torch.export.save: its program, and where its tensors lie. Nothing of it was run, no
// pickle was read, and contents of tensors are still in the file.
struct ExportedArchive {
    std::filesystem::path path;
    std::uint64_t fileBytes = 0;
    ExportedProgram program;
    std::map<std::string, TensorSlice> tensors;  // parameters, buffers and constants, by name
};

[[nodiscard]] Result<ExportedArchive> openExportedArchive(const std::filesystem::path& path);

// Whether a file is such an archive, or one of an earlier PyTorch: by its directory alone.
[[nodiscard]] bool isExportedArchive(const std::filesystem::path& path);

}  // namespace qs::core::exported
