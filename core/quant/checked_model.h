#pragma once

#include "core/base/result.h"
#include "core/model/opened_model.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace qs::core {

// Whoever opens a model or tells of one does it here: what its files hold quantized is held against
// its schemes (core/quant/stored_weights.h), of which core/model knows no more than the names.
// tests/architecture/safe_calls.py keeps to it.

// See openModel() in core/model/catalogue.h.
[[nodiscard]] Result<OpenedModel> openCheckedModel(const std::string& reference,
                                                   const std::filesystem::path& resourceFolder,
                                                   std::int64_t seed);

// See inspectModel(); the status is that of openCheckedModel().
[[nodiscard]] ModelInspection inspectCheckedModel(const std::string& reference,
                                                  const std::filesystem::path& resourceFolder,
                                                  std::int64_t seed);

}  // namespace qs::core
