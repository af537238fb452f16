#pragma once

#include "core/base/file_identity.h"

#include <utility>
#include <vector>

namespace qs::core {

// Files of a run that must stay as they are while it goes on.
class KeptFiles final
{
public:
    // From now on as it is now; again after one's own change. Io if it cannot be opened.
    [[nodiscard]] Status keep(const FilePlace& file);
    // Io, naming the first file that was removed, replaced or written to.
    [[nodiscard]] Status check() const;

private:
    std::vector<std::pair<FilePlace, FileIdentity>> m_files;
};

}  // namespace qs::core
