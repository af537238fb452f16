#include "tests/support/reference_file.h"

#include <nlohmann/json.hpp>

namespace qs::tests {

core::Json referenceJson()
{
    return core::Json::parse(R"({
 "schema_version": 1, "program": "torch.compile", "version": "torch 2.11.0",
 "made_at": "2026-11-26T20:00:00Z", "made_by": "measure_peer.py",
 "environment": {"device": "NVIDIA H200", "torch": "2.11.0"},
 "model": "m", "model_content": "", "layers": "all", "sizes": {"image_size": 256},
 "unit": "image",
 "rows": [
  {"precision": "bf16", "mode": "eager", "batch": 4, "units_per_pass": 4, "status": "ok",
   "reason": "", "passes_per_sample": 2, "rounds": [[0.011, 0.013], [0.016, 0.016]],
   "first_call_seconds": 0.5, "quantized_layers": 0, "output_distance": 0.0, "counters": null,
   "counters_missing": "nothing is compiled"},
  {"precision": "bf16", "mode": "max-autotune", "batch": 4, "units_per_pass": 4, "status": "ok",
   "reason": "", "passes_per_sample": 4, "rounds": [[0.004, 0.004], [0.004, 0.004]],
   "first_call_seconds": 61.5, "quantized_layers": 0, "output_distance": 0.002,
   "counters": {"frames": 3, "frames_compiled": 3, "unique_graphs": 3, "calls_captured": 90,
                "graph_breaks": [{"reason": "call to print", "count": 2}]},
   "counters_missing": ""},
  {"precision": "int8dq", "mode": "default", "batch": 4, "units_per_pass": 4,
   "status": "unavailable", "reason": "torchao cannot be imported", "passes_per_sample": 1,
   "rounds": [], "first_call_seconds": null, "quantized_layers": 0, "output_distance": null,
   "counters": null, "counters_missing": "it was not compiled"}
 ]})");
}

}  // namespace qs::tests
