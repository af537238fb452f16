#include "core/record/journal/journal_place.h"

#include "core/base/atomic_file.h"
#include "core/record/journal/journal_bytes.h"

#include <sys/file.h>

#include <cerrno>
#include <string>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kUnpackBytes = std::size_t{256} << 10U;

Status writeUnpacked(const FileDescriptor& packed, const fs::path& path, AtomicFile& journal)
{
    QS_TRY(JournalBytes bytes, JournalBytes::of(packed, path));
    std::string chunk(kUnpackBytes, '\0');
    while (true) {
        QS_TRY(const std::size_t count, bytes.read(chunk));
        if (count == 0)
            return bytes.problem().empty()
                       ? Status()
                       : Error{ErrorCode::Format,
                               path.string() + " is damaged: " + bytes.problem()};
        QS_RETURN_IF_ERROR(journal.write(std::string_view(chunk).substr(0, count)));
    }
}

}  // namespace

FilePlace journalPlace(const fs::path& runFolder)
{
    const FilePlace journal = FilePlace::inside(runFolder, kJournalName);
    const FilePlace packed = FilePlace::inside(runFolder, kPackedJournalName);
    return !isThere(journal) && isThere(packed) ? packed : journal;
}

Result<FileDescriptor> lockJournal(const FilePlace& journal)
{
    QS_TRY(FileDescriptor file, openForReading(journal));
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
        return file;
    if (errno == EWOULDBLOCK)
        return Error{ErrorCode::Io, "another program is writing " + journal.string()};
    return ioError("lock", journal.path(), errno);
}

Status unpackJournal(const fs::path& runFolder)
{
    const FilePlace journal = FilePlace::inside(runFolder, kJournalName);
    const FilePlace packed = FilePlace::inside(runFolder, kPackedJournalName);
    if (isThere(journal) || !isThere(packed))
        return {};
    QS_TRY(const FileDescriptor lock, lockJournal(packed));
    // Another program may have been faster, and may be writing by now.
    if (isThere(journal))
        return {};
    QS_TRY(AtomicFile file, AtomicFile::create(journal));
    QS_RETURN_IF_ERROR(writeUnpacked(lock, packed.path(), file));
    QS_RETURN_IF_ERROR(file.commit());
    return removeFile(packed);
}

}  // namespace qs::core
