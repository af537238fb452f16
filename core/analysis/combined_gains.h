#pragma once

#include "core/base/enum_names.h"
#include "core/stats/interval.h"

#include <string>
#include <vector>

namespace qs::core {

struct Analysis;

// Note [Combined gains]
// Whether compiling and quantizing add up: with the times of four cells, bf16 eager, bf16 compiled,
// quantized eager and quantized compiled, the measured speed-up of the last over the product of the
// two single ones. 1: each gives with the other what it gives alone. Formed round by round of all
// four, so that drift cancels.
enum class GainsTogether {
    Multiply,   // the whole interval within kMultiplyWithin of 1
    Less,       // the interval below 1
    More,       // above 1
    Undecided,  // the interval holds 1 and more than that, or there is none
};
inline constexpr auto kGainsTogether =
    enumNames<GainsTogether>({{GainsTogether::Multiply, "multiply"},
                              {GainsTogether::Less, "less"},
                              {GainsTogether::More, "more"},
                              {GainsTogether::Undecided, "undecided"}});
inline constexpr double kMultiplyWithin = 0.05;

struct CombinedGain {
    std::string plainId;      // bf16 eager
    std::string compiledId;   // bf16 in the compile mode
    std::string quantizedId;  // quantized, eager
    std::string bothId;
    double compiled = 0.0;  // speed-ups over the plain one
    double quantized = 0.0;
    double both = 0.0;
    Estimate ratio;  // both / (compiled * quantized)
    GainsTogether result = GainsTogether::Undecided;
};

// Of every quantized and compiled cell that has the other three, equal in all else and measured in
// the same rounds; in order of the plan.
[[nodiscard]] std::vector<CombinedGain> combinedGains(const Analysis& analysis);

}  // namespace qs::core
