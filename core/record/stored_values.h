#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/record/token_array.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// A stored output that is no picture, see outputPlace(). NotFound where it was not kept; Format for
// one that is damaged, holds no values or values that are not finite.
[[nodiscard]] Result<FloatArray> readStoredValues(const std::filesystem::path& runFolder,
                                                  const std::string& place, int sample);

// The prompt or what was generated. Errors as above; Format also for what are no token ids.
[[nodiscard]] Result<std::vector<std::int64_t>>
readStoredTokens(const std::filesystem::path& runFolder, const std::string& place, TokenFile file,
                 int sample);

// Values that are token ids: whole numbers from 0 to kHighestTokenId, at most kMostKeptTokens.
[[nodiscard]] Result<std::vector<std::int64_t>> tokensOf(const FloatArray& array);

}  // namespace qs::core
