#pragma once

#include "core/report/profiles/export_profile.h"
#include "core/report/profiles/resnet_run.h"

namespace qs::core {

// The tables of the guide: every mode, FP16 beside torch.compile, before and after, CPU and GPU.
[[nodiscard]] ProfileText resnetGuide(const ResnetRun& run);

// "1.62x faster", "1.25x slower": of the time of the first over that of the second.
[[nodiscard]] std::string fasterOrSlower(double ratio);

}  // namespace qs::core
