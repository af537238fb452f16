#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

// A run folder that may go as a whole: it is no link, holds a run and nothing else, and no program
// writes it for as long as this lives.
class RemovableRun final
{
public:
    // `reports`: names of further files that the program writes there. InvalidArgument, naming what
    // else lies there; Io if a program is writing the run.
    [[nodiscard]] static Result<RemovableRun> of(const std::filesystem::path& folder,
                                                 const std::vector<std::string>& reports = {});

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    // For good. Links below inputs and cells go, and what they lead to stays. If it is cut short,
    // what is left is a run that can be removed.
    [[nodiscard]] Status remove() const;

private:
    RemovableRun(std::filesystem::path folder, FileDescriptor lock, std::vector<std::string> names)
        : m_folder(std::move(folder)), m_lock(std::move(lock)), m_names(std::move(names))
    {
    }

    std::filesystem::path m_folder;
    FileDescriptor m_lock;             // of the journal; none if there is no journal
    std::vector<std::string> m_names;  // of what is in it, that of the plan last
};

}  // namespace qs::core
