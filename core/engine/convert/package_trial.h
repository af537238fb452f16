#pragma once

#include "core/base/result.h"
#include "core/measure/script_conversion.h"

namespace qs::engine {

// Finds out what a package gives for the declared inputs, and whether it takes any batch, and
// writes that as the facts of the package (core/model/packaged/package_facts.h) where the archive
// of the request is to be. Loads and runs the program: only in a process that is shut off. A
// package with one batch only gets that, where a small one will do.
[[nodiscard]] core::Result<core::ConversionResult>
tryPackage(const core::ConversionRequest& request);

}  // namespace qs::engine
