#pragma once

#include "core/base/result.h"
#include "core/model/opened_model.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace qs::core::exported {

// A .pt2 as far as it can be known without reading contents of tensors.
struct ExportedPart {
    OpenedModel opened;
    std::uint64_t fileBytes = 0;
    // The size that each dimension of an input is: "batch", "tokens"; empty: none.
    std::map<std::string, std::vector<std::string>> dimensions;
};

// As far as nothing is wrong: what was recognised stands in the report even if it cannot be run.
[[nodiscard]] Status readPart(const std::filesystem::path& path, ExportedPart& part);

}  // namespace qs::core::exported
