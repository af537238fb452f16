#pragma once

#include "core/base/file_descriptor.h"

#include <filesystem>
#include <string>

namespace qs::engine {

// What compiled programs write to the standard error while this lives: there, and nowhere else,
// they say what they have against their inputs. It is passed on to the log of the worker in the
// end.
class SpokenErrors final
{
public:
    // A file in that folder holds it meanwhile; without one nothing is caught.
    explicit SpokenErrors(const std::filesystem::path& folder);
    ~SpokenErrors();
    SpokenErrors(const SpokenErrors&) = delete;
    SpokenErrors& operator=(const SpokenErrors&) = delete;

    // The first of what was written, without the word "Error:"; `otherwise` if nothing was.
    [[nodiscard]] std::string take(const std::string& otherwise);

private:
    [[nodiscard]] std::string written() const;

    core::FileDescriptor m_file;
    core::FileDescriptor m_before;  // the standard error as it was
};

}  // namespace qs::engine
