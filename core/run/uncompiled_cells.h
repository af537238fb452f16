#pragma once

#include "core/run/stored_texts.h"
#include "core/sweep/plan.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// A compiled cell, and the same without compiling; or one of GPTQ, and the same straight.
struct UncompiledPair {
    const PlannedCell* compiled = nullptr;
    const PlannedCell* eager = nullptr;
};

// Knows which cells of a plan, which may grow, differ in how they are compiled alone.
class UncompiledCells final
{
public:
    // `plan` must outlive the object.
    explicit UncompiledCells(const Plan& plan) : m_plan(plan) {}

    // Of a compiled cell that with the eager one, of an eager cell those with the compiled ones;
    // until the plan grows.
    [[nodiscard]] std::vector<UncompiledPair> pairsOf(const PlannedCell& cell);

private:
    const Plan& m_plan;
    // Indices by all of a configuration but its compile mode and the way of GPTQ.
    std::unordered_map<std::string, std::vector<std::size_t>> m_alike;
    std::size_t m_known = 0;  // cells of the plan that are in them
};

// Of each sample the largest difference of a value between the outputs that lie in two folders; of
// texts as far as both wrote the same, and how many of their tokens are equal.
[[nodiscard]] Result<std::vector<OutputQuality>>
outputDifferences(const StoredTexts& texts, const std::string& place, const std::string& other,
                  int samples, const std::stop_token& stop);

}  // namespace qs::core
