#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"

#include <cstdint>
#include <string>
#include <vector>

// What OlmoEarth's throughput benchmark calls a run: its parameters, their defaults and its name.
namespace qs::core::olmoearth {

struct RunParams {
    std::string modelSize = "base";
    bool useS1 = false;
    bool useS2 = true;
    bool useLandsat = false;
    std::int64_t imageSize = 64;
    std::int64_t patchSize = 4;
    std::int64_t timesteps = 12;
    std::int64_t batchSize = 128;
    std::string gpuType = "cuda";
    bool bf16 = true;
    std::int64_t intervalSeconds = 180;  // of timed passes, at least
    std::int64_t batchesPerInterval = 10;
    bool profiler = false;
    bool wandb = false;  // there it is true; here nothing is sent, and only a file tells of it
    bool int8 = false;
    std::string int8Mode = "w8a8";
    bool smoothQuant = false;
    std::string compileMode = "max-autotune";
    bool fullGraph = true;

    bool operator==(const RunParams&) const = default;
};

// Sets a member by the name that the benchmark gives it: "batch_size", "int8_mode". Complains of
// unknown names and of values that cannot be, and leaves them out.
void setRunParam(RunParams& params, const std::string& name, const JsonView& value,
                 const std::string& path, std::vector<JsonIssue>& issues);
[[nodiscard]] const std::vector<std::string>& runParamNames();
// The members that two runs do not have alike.
[[nodiscard]] std::vector<std::string> differingParams(const RunParams& run,
                                                       const RunParams& other);

// How its int8 is compiled here: torch.compile's modes by the names that they have there, those of
// ours by their own; empty if there is no such mode.
[[nodiscard]] std::string compileOf(const RunParams& params);
// The cell that runs it here. Note [Runs of OlmoEarth]: weights of 32 bits under autocast where
// bf16 is set, also around quantized layers; int8 runs with the layers that its expressions match,
// flash attention and the whole graph compiled; other runs with each block compiled in Inductor's
// default mode, which here is the whole graph in that mode. An error for what cannot be built.
[[nodiscard]] Result<CellConfig> cellOf(const RunParams& params);
// What would have been the parameters of a cell; members that it does not have keep defaults.
[[nodiscard]] RunParams runParamsOf(const CellConfig& cell);

// Members that change nothing here, with what stands for them: "wandb_enabled: …".
[[nodiscard]] std::vector<std::string> unusedParams(const RunParams& params);

}  // namespace qs::core::olmoearth
