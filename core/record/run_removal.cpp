#include "core/record/run_removal.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/record/journal/journal_place.h"

#include <algorithm>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

bool isFolderName(const std::string& name)
{
    return name == "inputs" || name == "cells" || name == "peers";
}

// A file that was being written has another ending.
bool isFileOf(const std::string& name, const std::vector<std::string>& known)
{
    const bool damaged = name.starts_with("journal-damaged-") &&
                         (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz"));
    return damaged || std::any_of(known.begin(), known.end(), [&](const std::string& each) {
               return name == each || name.starts_with(each + ".");
           });
}

// What a folder holds, if all of it belongs to a run.
Result<std::vector<std::string>> ownNames(const fs::path& folder,
                                          const std::vector<std::string>& reports)
{
    std::vector<std::string> known{"plan.json", "environment.json", kJournalName, "log.txt",
                                   "label.json"};
    known.insert(known.end(), reports.begin(), reports.end());
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        const fs::file_status kind = fs::symlink_status(entry->path(), code);
        const bool own = isFolderName(name) ? fs::is_directory(kind)
                                            : isFileOf(name, known) && fs::is_regular_file(kind);
        if (!code && !own)
            return Error{ErrorCode::InvalidArgument, folder.string() +
                                                         " contains something else than a run (" +
                                                         cleanLine(name) + "); remove that first"};
        names.push_back(name);
    }
    if (code)
        return ioError("list", folder, code.value());
    return names;
}

// Nobody can write the run as long as it is held. None without a journal.
Result<FileDescriptor> lockOf(const fs::path& folder)
{
    const FilePlace journal = journalPlace(folder);
    if (!isThere(journal))
        return FileDescriptor();
    return lockJournal(journal);
}

}  // namespace

Result<RemovableRun> RemovableRun::of(const fs::path& folder,
                                      const std::vector<std::string>& reports)
{
    std::error_code code;
    const fs::file_status kind = fs::symlink_status(folder, code);
    if (fs::is_symlink(kind))
        return Error{ErrorCode::InvalidArgument, folder.string() + " is a link"};
    if (!fs::is_directory(kind) || !isThere(FilePlace::inside(folder, "plan.json")))
        return Error{ErrorCode::NotFound, folder.string() + " is not a run folder: no plan.json"};
    QS_TRY(FileDescriptor lock, lockOf(folder));
    QS_TRY(std::vector<std::string> names, ownNames(folder, reports));
    std::partition(names.begin(), names.end(),
                   [](const std::string& name) { return name != "plan.json"; });
    return RemovableRun(folder, std::move(lock), std::move(names));
}

Status RemovableRun::remove() const
{
    std::error_code code;
    for (const std::string& name : m_names) {
        fs::remove_all(m_folder / name, code);
        if (code)
            return ioError("remove", m_folder / name, code.value());
    }
    fs::remove(m_folder, code);
    return code ? Status(ioError("remove", m_folder, code.value())) : Status();
}

}  // namespace qs::core
