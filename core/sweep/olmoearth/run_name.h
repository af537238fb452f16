#pragma once

#include "core/base/result.h"
#include "core/sweep/olmoearth/run_params.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core::olmoearth {

// "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128"
[[nodiscard]] std::string runName(const RunParams& params);

// A name read back. What it never tells has its default; parsing a name of the benchmark always
// gives wandb_enabled = false, as its own parser does.
struct ParsedRunName {
    RunParams params;
    std::vector<std::string> untold;  // members that the name says nothing of
};
// Names that runName() gives cells of ours are read, too: "…_int8_w8a8_none_…".
[[nodiscard]] Result<ParsedRunName> parseRunName(std::string_view name);

}  // namespace qs::core::olmoearth
