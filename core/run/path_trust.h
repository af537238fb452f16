#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// Files and folders that running the plan reads and that are neither shipped nor of the run folder:
// models and pictures. Absolute, each once.
[[nodiscard]] std::vector<std::string> outsidePaths(const Plan& plan);

// Note [Path trust]
// A run folder may come from anybody, and its plan may name any file as a model or as pictures.
// Going on with it would read them, and put what they hold among its inputs. So each user keeps a
// file of the folders and the paths that are theirs: of runs that they began here, and those that
// they were shown and agreed to. Anything else is asked for.
class PathTrust final
{
public:
    // `file` is made when something is agreed to; empty: nothing is remembered.
    explicit PathTrust(std::filesystem::path file) : m_file(std::move(file)) {}

    // Those of `paths` that this user has not agreed to for this run folder.
    [[nodiscard]] std::vector<std::string> unknown(const std::filesystem::path& runFolder,
                                                   const std::vector<std::string>& paths) const;
    // What cannot be remembered is asked for again.
    void agree(const std::filesystem::path& runFolder, const std::vector<std::string>& paths) const;

private:
    std::filesystem::path m_file;
};

// What would have to be agreed to before going on with the run in this folder.
[[nodiscard]] Result<std::vector<std::string>> pathsToAgree(const std::filesystem::path& runFolder,
                                                            const PathTrust& trust);

}  // namespace qs::core
