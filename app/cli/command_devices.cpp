#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "core/base/format.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"

#include <fmt/format.h>

#include <cstdio>

namespace qs::app {

int devicesCommand()
{
    const auto engine = core::describeEngine(core::locatePrograms().worker, 60.0);
    if (!engine.ok()) {
        std::fprintf(stderr, "quantscope-cli: %s\n", engine.error().message.c_str());
        return exitCodeOf(engine.error());
    }
    for (const core::DeviceDescription& device : engine.value().devices) {
        fmt::print("{:<8} {}, {}", device.id, device.name,
                   core::formatBytes(static_cast<double>(device.memoryBytes)));
        if (device.kind == core::DeviceKind::Cuda)
            fmt::print(", compute capability {}.{}, {} multiprocessors, {}", device.computeMajor,
                       device.computeMinor, device.processors, device.driver);
        else
            fmt::print(", {} threads", device.processors);
        fmt::print("\n");
    }
    fmt::print("PyTorch {}{}\n", engine.value().torch,
               engine.value().cuda.empty() ? "" : ", CUDA " + engine.value().cuda);
    if (!engine.value().whyNoGpu.empty())
        fmt::print("no GPU: {}\n", engine.value().whyNoGpu);
    return kExitOk;
}

}  // namespace qs::app
