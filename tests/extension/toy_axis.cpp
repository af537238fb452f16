#include "tests/extension/toy_axis.h"

#include "core/sweep/axis_spec.h"

namespace qs::tests {

void registerToyAxis()
{
    core::AxisSpec axis;
    axis.name = axis.noun = axis.unit = "calls";
    axis.one = "number of calls";
    axis.nouns = "numbers of calls";
    axis.description = "How often in a row a pass is called.";
    axis.highest = 64;
    axis.usual = axis.ofReference = "1";
    core::registerAxis(std::move(axis));
}

}  // namespace qs::tests
