#pragma once

#include "core/record/measurement.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// What there is to say of all rows of a run together, so that they need not lie in memory.
struct RowOutline {
    std::size_t count = 0;
    double seconds = 0.0;  // of all, each from its start to its end
    std::string firstStartedAt;
    std::string lastStartedAt;
    // Names in order of their first appearance.
    std::vector<std::string> stages;

    // In order of the journal.
    void add(const Measurement& row);
};

}  // namespace qs::core
