#pragma once

#include <string>
#include <vector>

namespace qs::tests {

// Every field of the records in a file of an export profile has its value or a reason why it has
// none, and there are records. `folder` has reasons.json.
void expectReasons(const std::string& folder, const std::string& file);
// The same of all that have records.
void expectReasons(const std::string& folder);
// Those files of the profile that hold records.
[[nodiscard]] std::vector<std::string> filesWithRecords(const std::string& folder);
// The page of a run, written to `page`, has plots, and marks in each of them.
void expectPlots(const std::string& run, const std::string& page);

}  // namespace qs::tests
