#pragma once

#include "core/quant/scheme_spec.h"

#include <vector>

namespace qs::core {

// The rows of the schemes that come with the program, in the order of lists.
[[nodiscard]] std::vector<SchemeSpec> builtInSchemes();

// Each in the file of its name.
[[nodiscard]] std::vector<SchemeSpec> floatSchemes();
[[nodiscard]] std::vector<SchemeSpec> int8Schemes();
[[nodiscard]] std::vector<SchemeSpec> float8Schemes();
[[nodiscard]] std::vector<SchemeSpec> int4Schemes();
[[nodiscard]] std::vector<SchemeSpec> calibratedInt8Schemes();
[[nodiscard]] std::vector<SchemeSpec> gptqSchemes();
[[nodiscard]] std::vector<SchemeSpec> delayedFloat8Schemes();

}  // namespace qs::core
