#pragma once

#include "core/graph/graph.h"

#include <variant>
#include <vector>

namespace qs::core {

// The arguments of a call with other values in place of those that it reads: `map` gives the new id
// of each, -1 (none) included.
template <typename Map>
std::vector<NamedArgument> mappedArguments(const Node& node, Map&& map)
{
    std::vector<NamedArgument> arguments = node.arguments;
    for (NamedArgument& argument : arguments) {
        if (auto* ref = std::get_if<ValueRef>(&argument.value))
            ref->id = map(ref->id);
        else if (auto* refs = std::get_if<ValueRefs>(&argument.value))
            for (ValueRef& each : *refs)
                each.id = map(each.id);
    }
    return arguments;
}

}  // namespace qs::core
