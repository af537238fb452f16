#pragma once

#include "core/measure/compile_record.h"

#include <filesystem>

namespace qs::engine {

// A stage that was compiled; see Note [Packages].
struct StagePackage {
    std::filesystem::path file;  // empty: the stage has none
    core::StageCompile compile = {};
};

}  // namespace qs::engine
