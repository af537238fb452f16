#pragma once

#include "core/base/json.h"
#include "core/sweep/gate.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// What somebody has said of a model's speed, memory or quality, and where. It is held against a run
// as gates are, but one that the run contradicts is a result, not a failure.
struct Claim {
    std::string text;    // in the words of who says it
    std::string source;  // where: document, section
    // All of these; device, model, precision, layers and batch are those of the claim. Of several
    // devices "H100|H200" has one.
    std::vector<Gate> expect;
    std::string compile = {};  // mode; empty: any
    // That speed-ups are formed with, as Preset::speedBaseline; empty: that of the preset.
    std::string baseline = {};

    bool operator==(const Claim&) const = default;
};

inline constexpr std::size_t kMostClaims = 100;

// The member "claims" of presets: a list of objects {"claim": …, "source": …, "expect": [texts of
// gates], "device": …, "model": …, "precision": …, "layers": …, "batch": …, "compile": …,
// "baseline": …}.
[[nodiscard]] std::vector<Claim> claimsFromJson(const Json& json, const std::string& path,
                                                std::vector<JsonIssue>& issues);
[[nodiscard]] Json claimsToJson(const std::vector<Claim>& claims);

}  // namespace qs::core
