#include "core/record/kept_files.h"

#include <algorithm>

namespace qs::core {

Status KeptFiles::keep(const FilePlace& file)
{
    QS_TRY(const FileIdentity identity, identityOf(file));
    const auto known = std::find_if(m_files.begin(), m_files.end(),
                                    [&](const auto& each) { return each.first == file; });
    if (known == m_files.end())
        m_files.emplace_back(file, identity);
    else
        known->second = identity;
    return {};
}

Status KeptFiles::check() const
{
    for (const auto& [file, identity] : m_files) {
        if (!isThere(file))
            return Error{ErrorCode::Io, file.string() + " was removed during the run"};
        QS_TRY(const FileIdentity now, identityOf(file));
        if (now != identity)
            return Error{ErrorCode::Io, file.string() + " was changed or replaced during the run"};
    }
    return {};
}

}  // namespace qs::core
