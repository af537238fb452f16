#pragma once

#include "core/model/input_feed.h"
#include "core/model/model.h"

namespace qs::core {

// The model fed as it is declared: its family takes images if an input does, generated inputs have
// the declared distribution, and what its weights are is as declared. An output of the shape of the
// images is images, unless another kind is declared. Without a declaration the model stays as it
// is. Errors: inputs or outputs that it does not have, images for inputs that cannot take them.
[[nodiscard]] Status feedModel(Model& model, const ModelFeeding& feeding);

}  // namespace qs::core
