#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/record/run_data.h"

#include <string>
#include <vector>

namespace qs::app {

// What --fail-on asks for: the gates of the preset, and gates for this call alone.
struct FailOn {
    bool presetGates = false;  // "gates"
    std::vector<core::Gate> own;
    // A gate that cannot be shown to hold is not held.
    bool undecidedFails = true;

    [[nodiscard]] bool wanted() const { return presetGates || !own.empty(); }
};

// `undecided`: "fail" or "pass".
[[nodiscard]] core::Result<FailOn> failOnFrom(const std::vector<std::string>& texts,
                                              const std::string& undecided = "fail");
// All of them; an error if the preset's are wanted and it has none.
[[nodiscard]] core::Result<std::vector<core::Gate>> wantedGates(const FailOn& failOn,
                                                                const core::Preset& preset);
// Prints what fails, what is undecided and what no cell could tell. True if any gate fails, or is
// undecided where that counts as failing.
[[nodiscard]] bool anyGateFails(const core::RunData& data, const core::Analysis& analysis,
                                const std::vector<core::Gate>& gates, const FailOn& failOn = {});

}  // namespace qs::app
