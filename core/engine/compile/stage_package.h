#pragma once

#include "core/measure/compile_record.h"

#include <filesystem>
#include <vector>

namespace qs::engine {

// A stage that was compiled, or a part of it; see Note [Packages].
struct StagePackage {
    std::filesystem::path file;
    core::StageCompile compile = {};
};

// All of one stage, in the order of core::packagePrograms.
using StagePackages = std::vector<StagePackage>;

}  // namespace qs::engine
