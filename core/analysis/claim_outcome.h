#pragma once

#include "core/analysis/gate_result.h"
#include "core/base/enum_names.h"
#include "core/sweep/claim.h"

#include <string>
#include <vector>

namespace qs::core {

// Partly: some of its cells say so, others the contrary.
enum class ClaimResult { Confirmed, Contradicted, Partly, Undecided, NotTestable };
inline constexpr auto kClaimResults =
    enumNames<ClaimResult>({{ClaimResult::Confirmed, "confirmed"},
                            {ClaimResult::Contradicted, "contradicted"},
                            {ClaimResult::Partly, "partly"},
                            {ClaimResult::Undecided, "undecided"},
                            {ClaimResult::NotTestable, "not testable"}});

// A claim held against one cell: confirmed if the whole interval of each value lies where the claim
// says, contradicted if that of one lies elsewhere. A value that is in doubt does neither.
struct ClaimedCell {
    std::string cellId;
    ClaimResult result = ClaimResult::NotTestable;  // never Partly
    CellGates gates;                                // one for each expectation

    bool operator==(const ClaimedCell&) const = default;
};

// A claim held against the cells that it speaks of; none: the run has no such cell.
struct ClaimOutcome {
    Claim claim;
    ClaimResult result = ClaimResult::NotTestable;
    std::vector<ClaimedCell> cells;

    bool operator==(const ClaimOutcome&) const = default;
};

}  // namespace qs::core
