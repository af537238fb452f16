#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// One picture of the quality set as the cell reconstructed it.
struct OutputRecord {
    int picture = 0;
    // Relative to the folder of the cell: from the second environment on, below a sub-folder of the
    // environment, see core/record/output_places.h. Empty if only hashed.
    std::string file;
    std::string sha256;  // of the float32 values
};

// Columns, as nearly all rows have all pictures in order: "pictures" is written where they are not
// 0, 1, 2 …, "files" where one is kept.
[[nodiscard]] Json toJson(const std::vector<OutputRecord>& outputs);
[[nodiscard]] std::vector<OutputRecord> outputsFromJson(JsonFields& parent, std::string_view name,
                                                        std::vector<JsonIssue>& issues);

}  // namespace qs::core
