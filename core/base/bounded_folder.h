#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// Removes what was not used for longest, by the time of the last write, until the files of these
// extensions take no more than `mostBytes`. Other programs may do the same in that folder.
void keepWithin(const std::filesystem::path& folder, const std::vector<std::string>& extensions,
                std::uintmax_t mostBytes);
// The file counts as used now.
void markUsed(const std::filesystem::path& file);

}  // namespace qs::core
