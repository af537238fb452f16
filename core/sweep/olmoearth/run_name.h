#pragma once

#include "core/base/result.h"
#include "core/sweep/olmoearth/run_params.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core::olmoearth {

// "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128"
[[nodiscard]] std::string runName(const RunParams& params);

// A name read back. What it never tells has its default; of wandb_enabled that is false, as the
// benchmark's own parser has it.
struct ParsedRunName {
    RunParams params;
    std::vector<std::string> untold;  // members that the name says nothing of
};
// Names that runName() gives cells of ours are read, too: "…_int8_w8a8_none_…".
[[nodiscard]] Result<ParsedRunName> parseRunName(std::string_view name);

}  // namespace qs::core::olmoearth
