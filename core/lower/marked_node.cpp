#include "core/lower/marked_node.h"

namespace qs::core {

bool isMarked(const Node& node)
{
    return node.operation->name == kQsLinear || node.operation->name == kQsConv;
}

Scheme schemeOf(const Node& node)
{
    return namedScheme(std::get<std::string>(*node.find("scheme")));
}

}  // namespace qs::core
