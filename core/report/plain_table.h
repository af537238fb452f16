#pragma once

#include <string>
#include <vector>

namespace qs::core {

// A table of plain texts, for every kind of report.
struct PlainTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> lines;  // each as long as the head
    // Of pages, where the first entry of each line leads: ids of elements; empty: nowhere.
    std::vector<std::string> places = {};
};

[[nodiscard]] std::string markdownOf(const PlainTable& table);
// One that sorts by a click on a head.
[[nodiscard]] std::string htmlOf(const PlainTable& table);

// A table with what it is about, as a section of a report; empty without lines.
struct TableSection {
    std::string id;  // in pages: "combined"
    std::string title;
    std::string meaning;  // a paragraph
    PlainTable table;
};

[[nodiscard]] std::string markdownOf(const TableSection& section);
[[nodiscard]] std::string htmlOf(const TableSection& section);

}  // namespace qs::core
