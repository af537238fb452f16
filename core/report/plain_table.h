#pragma once

#include <string>
#include <vector>

namespace qs::core {

// A table of plain texts, for every kind of report.
struct PlainTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> lines;  // each as long as the head
};

[[nodiscard]] std::string markdownOf(const PlainTable& table);
// One that sorts by a click on a head.
[[nodiscard]] std::string htmlOf(const PlainTable& table);

}  // namespace qs::core
