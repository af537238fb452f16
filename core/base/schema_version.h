#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

namespace qs::core {

// Unsupported unless the member "schema_version" is `known`: a file of another version follows
// other rules, so nothing else of it is read. Whoever reads the file adds its name.
[[nodiscard]] Status checkSchemaVersion(const JsonView& json, int known);

}  // namespace qs::core
