#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"

#include <fmt/format.h>

#include <string>

namespace qs::app {

int exportExampleCommand(const ExportExampleCommand& command)
{
    const std::string model = command.model.empty() ? "model" : command.model;
    const std::string input = command.input.empty() ? "x" : command.input;
    if (command.checkpoint) {
        say("import torch, safetensors.torch\n"
            "state = torch.load(\"{0}.pth\", map_location=\"cpu\", weights_only=True)\n"
            "safetensors.torch.save_file({{k: v.contiguous() for k, v in state.items()}}, "
            "\"{0}.safetensors\")\n",
            model);
        return kExitOk;
    }
    say("batch = torch.export.Dim(\"batch\", min=1, max=1024)\n"
        "program = torch.export.export({0}.eval(), ({1},), dynamic_shapes={{\"{1}\": {{0: "
        "batch}}}})\n"
        "torch.export.save(program, \"{0}.pt2\")\n",
        model, input);
    return kExitOk;
}

}  // namespace qs::app
