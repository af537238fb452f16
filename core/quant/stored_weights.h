#pragma once

#include "core/base/result.h"
#include "core/graph/dtype.h"
#include "core/model/model.h"
#include "core/model/safetensors/safetensors.h"

namespace qs::core {

// How a safetensors file has numbers of that type.
[[nodiscard]] StoredType storedTypeOf(DType type);

// Whether the files of a model hold what the schemes of its quantized weights store: known schemes
// with parameters that they have, and every part in its type and shape. Reads headers alone; what
// parts contain is seen when they are loaded. The error names the file and the weight. Layouts of
// other programs are described part by part, and were held against that when they were opened.
[[nodiscard]] Status checkStoredWeights(const Model& model);

}  // namespace qs::core
