#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace qs::tests {

// Safetensors with the whole header of the 5B model, whose data is a hole in the file. The last
// tensor is left out: a load report names it, and nothing of the data has to be read. Answers its
// name; nothing if the file could not be written.
[[nodiscard]] std::optional<std::string> writeHugeModel(const std::filesystem::path& file);

}  // namespace qs::tests
