#pragma once

#include <span>
#include <string_view>

namespace qs::engine {

struct ScriptFile {
    std::string_view name;
    std::string_view text;
};

// compile_package.py first, then the modules that it imports: the worker carries them, so that they
// are always those that fit.
[[nodiscard]] std::span<const ScriptFile> compileScripts();

}  // namespace qs::engine
