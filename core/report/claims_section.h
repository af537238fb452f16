#pragma once

#include "core/analysis/analysis.h"

#include <string>

// The claims of the preset and what the run says of them, as a part of summary.md and of
// report.html; empty without claims.
namespace qs::core {

[[nodiscard]] std::string claimsSection(const Analysis& analysis);
[[nodiscard]] std::string htmlClaims(const Analysis& analysis);

}  // namespace qs::core
