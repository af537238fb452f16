#pragma once

#include "core/base/result.h"
#include "core/measure/script_conversion.h"

#include <filesystem>
#include <stop_token>

namespace qs::core {

// Makes an archive of a program in a worker that is shut off, see Note [Conversion of programs]:
// only after the user trusts request.sha256. The worker may write in a new folder beside the
// archive, which is then put in its place; what was there is replaced only if all went well.
// Cancelled when stopped; a program that does not end is given up after ten minutes.
[[nodiscard]] Result<ConversionResult> convertProgram(const ConversionRequest& request,
                                                      const std::filesystem::path& workerProgram,
                                                      const std::stop_token& stop = {});

}  // namespace qs::core
