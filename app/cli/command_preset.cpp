#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset.h"

#include <fmt/format.h>

namespace qs::app {

int presetCheckCommand(const std::vector<std::string>& files)
{
    int code = kExitOk;
    for (const std::string& file : files) {
        const auto preset = core::readPreset(file);
        if (!preset.ok()) {
            complainLine(preset.error().message);
            code = kExitUsage;
            continue;
        }
        say("{}: good, {} cells x {} rounds before references are added\n", file,
            core::countCells(preset.value()), preset.value().rounds);
    }
    return code;
}

}  // namespace qs::app
