#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/format.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"

#include <fmt/format.h>

namespace qs::app {

int devicesCommand()
{
    const auto engine = core::describeEngine(core::locatePrograms().worker, 60.0);
    if (!engine.ok())
        return fail(engine.error());
    for (const core::DeviceDescription& device : engine.value().devices) {
        say("{:<8} {}, {}", device.id, device.name,
            core::formatBytes(static_cast<double>(device.memoryBytes)));
        if (device.kind == core::DeviceKind::Cuda)
            say(", compute capability {}.{}, {} multiprocessors, {}", device.computeMajor,
                device.computeMinor, device.processors, device.driver);
        else
            say(", {} threads", device.processors);
        say("\n");
    }
    say("PyTorch {}{}\n", engine.value().torch,
        engine.value().cuda.empty() ? "" : ", CUDA " + engine.value().cuda);
    if (!engine.value().whyNoGpu.empty())
        say("no GPU: {}\n", engine.value().whyNoGpu);
    return kExitOk;
}

}  // namespace qs::app
