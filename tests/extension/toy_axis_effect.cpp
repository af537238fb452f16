#include "core/engine/execute/axis_effects.h"
#include "tests/extension/toy_axis.h"

namespace qs::tests {

namespace {

std::int64_t& inForce()
{
    static std::int64_t calls = 1;
    return calls;
}

}  // namespace

void registerToyAxisEffect()
{
    engine::registerAxisEffect("calls", [](std::int64_t calls) { inForce() = calls; });
}

std::int64_t toyCalls()
{
    return inForce();
}

}  // namespace qs::tests
