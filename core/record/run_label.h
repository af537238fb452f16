#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

inline constexpr int kRunLabelSchemaVersion = 1;

// What its user calls a run and wants to remember of it: label.json in the run folder. Nothing that
// is measured or compared depends on it, so it may be written while the run goes on.
struct RunLabel {
    std::string name;               // one line; empty: that of the preset
    std::vector<std::string> tags;  // short words, none twice
    std::string note;               // may have several lines

    [[nodiscard]] bool isEmpty() const { return name.empty() && tags.empty() && note.empty(); }
    bool operator==(const RunLabel&) const = default;
};

// Longer ones are neither written nor read.
inline constexpr std::size_t kLongestRunName = 400;  // bytes, as the others
inline constexpr std::size_t kLongestRunTag = 120;
inline constexpr std::size_t kMostRunTags = 20;
inline constexpr std::size_t kLongestRunNote = std::size_t{16} << 10U;

// As it is stored: cleaned texts, see Note [Clean text], without blanks around them; a tag with
// commas is several.
[[nodiscard]] RunLabel tidied(const RunLabel& label);

// Empty if the run has none. Format or Unsupported if the file is none that can be read.
[[nodiscard]] Result<RunLabel> readRunLabel(const std::filesystem::path& runFolder);
// Tidied, in place of the one of before; an empty one leaves no file. The label of another version
// of the program is not replaced.
[[nodiscard]] Status writeRunLabel(const std::filesystem::path& runFolder, const RunLabel& label);

}  // namespace qs::core
