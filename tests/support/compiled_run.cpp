#include "tests/support/compiled_run.h"

#include "tests/support/sample_run.h"

namespace qs::tests {

core::RunData compiledRun()
{
    core::RunData data = sampleRun();
    for (core::Measurement& row : data.measurements) {
        if (!row.ok())
            continue;
        const bool compiled = row.config.compile == "cuda-graph";
        row.result.phases = {{core::Phase::Compile, compiled ? 4.0 : 2.0},
                             {core::Phase::MemoryPass, 1.0}};
        if (compiled)
            row.result.memory.graphPool = std::int64_t{64} << 20U;
        if (compiled)
            row.result.compiles = {{.stage = "encoder",
                                    .content = "c",
                                    .coldSeconds = 40.0,
                                    .warmSeconds = 5.0,
                                    .together = core::CompiledTogether{"d", 1, 40.0, 5.0},
                                    .coldParts = {{"wrapper", 10.0}, {"kernels", 30.0}},
                                    .distanceToEager = 0.002,
                                    .distanceLimit = 0.05}};
    }
    return data;
}

}  // namespace qs::tests
