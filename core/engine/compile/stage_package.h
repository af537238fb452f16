#pragma once

#include "core/measure/compile_record.h"
#include "core/model/packaged/unpack_package.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace qs::engine {

// A stage that was compiled, or a part of it; see Note [Packages]. Or what the user has compiled.
struct StagePackage {
    std::filesystem::path file;
    core::StageCompile compile = {};
    // Of a stage that is a program of the user.
    std::optional<core::packaged::UnpackedPackage> unpacked = {};
};

// All of one stage, in the order of core::packagePrograms.
using StagePackages = std::vector<StagePackage>;

}  // namespace qs::engine
