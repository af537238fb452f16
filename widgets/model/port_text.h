#pragma once

#include "core/graph/graph.h"
#include "core/model/workload.h"

#include <QString>

#include <string>

namespace qs::widgets {

// "float32 [batch, 3, 224, 224]", "int64 [batch, 64], 0 … 511"
[[nodiscard]] QString inputTypeText(const core::TensorType& type, const core::InputSpec& input);
// "logits: float32 [1, 1000]"
[[nodiscard]] QString outputTypeText(const std::string& output, const core::TensorType* type);
// "image", "token ids"
[[nodiscard]] QString outputKindText(core::OutputKind kind);

}  // namespace qs::widgets
