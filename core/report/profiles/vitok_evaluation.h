#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/vitok_run.h"

namespace qs::core {

// eval_vae.json: what ViTok's evaluation of autoencoders writes.
[[nodiscard]] ProfileTable vitokEvaluation(const VitokRun& run);

}  // namespace qs::core
