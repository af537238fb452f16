#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace qs::tests {

// One parser of data from outside. `run` feeds it any bytes: it must neither crash nor accept
// something inconsistent, which it checks itself (a failed check ends the program).
struct FuzzEntry {
    std::string name;  // also the folder of its corpus
    void (*run)(std::span<const std::byte> bytes);
};

[[nodiscard]] const std::vector<FuzzEntry>& fuzzEntries();

}  // namespace qs::tests
