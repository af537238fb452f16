#pragma once

#include "core/base/file_place.h"
#include "core/measure/token_files.h"

#include <filesystem>
#include <string>

namespace qs::core {

// Where token ids of a sample lie; `place`: see outputPlace().
[[nodiscard]] FilePlace tokenArray(const std::filesystem::path& runFolder, const std::string& place,
                                   TokenFile file, int sample);

}  // namespace qs::core
