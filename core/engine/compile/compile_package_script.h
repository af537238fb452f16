#pragma once

#include <string_view>

namespace qs::engine {

// The text of compile_package.py: the worker carries it, so that it is always the one that fits.
[[nodiscard]] std::string_view compilePackageScript();

}  // namespace qs::engine
