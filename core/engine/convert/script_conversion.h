#pragma once

#include "core/base/result.h"
#include "core/measure/script_conversion.h"

namespace qs::engine {

// See Note [Conversion of programs] and Note [Recording a TorchScript program]. Loads and runs the
// file: only in a process that is shut off. The batch is left free where the program treats all of
// them alike, see Note [Free batch]; else the archive has batch 1.
[[nodiscard]] core::Result<core::ConversionResult>
convertScript(const core::ConversionRequest& request);

}  // namespace qs::engine
