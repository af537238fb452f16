#include "core/record/run_data.h"

#include <algorithm>

namespace qs::core {

const Environment* RunData::environment(const std::string& id) const
{
    const auto found =
        std::find_if(environments.begin(), environments.end(),
                     [&](const Environment& environment) { return environment.id() == id; });
    return found == environments.end() ? nullptr : &*found;
}

}  // namespace qs::core
