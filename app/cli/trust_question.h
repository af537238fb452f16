#pragma once

#include "core/base/result.h"
#include "core/run/path_trust.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::app {

// The paths that going on with this run would read and that its user has to agree to: none if there
// are none. Asks on a terminal; without one, or if the answer is no, the error says how to go on.
// `trusted`: the user has agreed on the command line.
[[nodiscard]] core::Result<std::vector<std::string>>
agreedPaths(const std::filesystem::path& folder, const core::PathTrust& trust, bool trusted);

}  // namespace qs::app
