#pragma once

#include <filesystem>
#include <vector>

namespace qs::core {

// "models/encoder.pt2+decoder.pt2": the files of a model whose stages are programs of their own,
// each after the first in the folder of the first unless its path is absolute. One for any other
// path, and for a file that has that name.
[[nodiscard]] std::vector<std::filesystem::path> joinedPaths(const std::filesystem::path& path);

}  // namespace qs::core
