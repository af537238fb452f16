#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace qs::core::te_llama {

struct ImportedLlama {
    std::string variant;
    std::uint64_t fileBytes = 0;  // of what was written
};

// Writes a Llama of Hugging Face with the products fused: q, k and v stand below each other, their
// rows in the order that RoPE of neighbours wants, and so do gate and up. Both models compute the
// same in exact arithmetic; the table is exact. A tied head is written out. The folder is made if
// it is not there; files in it of these names are an error.
[[nodiscard]] Result<ImportedLlama> importLlama(const std::filesystem::path& from,
                                                const std::filesystem::path& folder);

}  // namespace qs::core::te_llama
