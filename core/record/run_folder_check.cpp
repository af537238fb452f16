#include "core/record/run_folder_check.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/record/journal/journal_place.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

Result<std::vector<std::string>> namesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code))
        names.push_back(entry->path().filename().string());
    if (code)
        return ioError("list", folder, code.value());
    std::sort(names.begin(), names.end());
    return names;
}

// In the order in which RunFolder::create() makes them: each may be there only after the one
// before it. A file that was being written has another ending.
bool isOfACreation(const std::string& name, bool journalIsThere)
{
    if (name == "inputs" || name == "cells" || name == kJournalName)
        return true;
    return journalIsThere && (name == "environment.json" || name.starts_with("environment.json.") ||
                              name.starts_with("plan.json."));
}

}  // namespace

Status checkFree(const fs::path& folder)
{
    const auto notFree = [&](const std::string& name) {
        return Error{ErrorCode::InvalidArgument,
                     folder.string() + " already contains other files (" + cleanLine(name) +
                         "); use a new or empty folder"};
    };
    QS_TRY(const std::vector<std::string> names, namesIn(folder));
    const bool journalIsThere = std::binary_search(names.begin(), names.end(), kJournalName);
    for (const std::string& name : names) {
        if (!isOfACreation(name, journalIsThere))
            return notFree(name);
        if (name != "inputs" && name != "cells")
            continue;
        QS_TRY(const std::vector<std::string> inside, namesIn(folder / name));
        if (!inside.empty())
            return notFree(name + "/" + inside.front());
    }
    return {};
}

}  // namespace qs::core
