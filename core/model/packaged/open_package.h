#pragma once

#include "core/base/result.h"
#include "core/model/opened_model.h"

#include <filesystem>

namespace qs::core::packaged {

// A package as a model, by what is known of it (package_facts.h); Unsupported until it was tried.
// Nothing of it is run.
[[nodiscard]] Result<OpenedModel> openPackage(const std::filesystem::path& path);
[[nodiscard]] ModelInspection inspectPackage(const std::filesystem::path& path);

}  // namespace qs::core::packaged
