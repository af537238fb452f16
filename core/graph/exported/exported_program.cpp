#include "core/graph/exported/exported_program.h"

namespace qs::core::exported {

const ProgramArgument* ProgramNode::find(std::string_view argument) const
{
    for (const NamedProgramArgument& each : arguments) {
        if (each.name == argument)
            return &each.value;
    }
    return nullptr;
}

}  // namespace qs::core::exported
