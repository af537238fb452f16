#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/files.h"
#include "core/base/result.h"

#include <filesystem>

namespace qs::core {

inline constexpr const char* kJournalName = "journal.jsonl";
// That of a run that was put away: its user packed it with gzip. It is read like the other.
inline constexpr const char* kPackedJournalName = "journal.jsonl.gz";

// Where the journal of a run lies: the packed one only if there is no other.
[[nodiscard]] FilePlace journalPlace(const std::filesystem::path& runFolder);

// Nobody else can write or unpack the journal for as long as the descriptor lives; it is open for
// reading. Errors: Io "another program is writing".
[[nodiscard]] Result<FileDescriptor> lockJournal(const FilePlace& journal);

// Puts journal.jsonl in the place of a packed one; nothing to do where there is none. The packed
// one goes when the other is on the disk. Format if its data are damaged.
[[nodiscard]] Status unpackJournal(const std::filesystem::path& runFolder);

}  // namespace qs::core
