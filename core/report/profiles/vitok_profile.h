#pragma once

#include "core/report/profiles/export_profile.h"

namespace qs::core {

// What ViTok's scripts write: test_compile_int8_benchmark.py (results and the printed table),
// test_float8_inference.py and eval_vae.py with benchmark_quant.py.
[[nodiscard]] ExportProfile vitokProfile();

}  // namespace qs::core
