#pragma once

#include "core/base/result.h"
#include "core/record/left_out.h"

#include <cstdint>
#include <filesystem>

namespace qs::core {

// What became of a run folder that was to be repaired.
struct Repair {
    // The folder that can be gone on with; empty if nothing was wrong and nothing was written.
    std::filesystem::path folder;
    LeftOut leftOut;
    std::uint64_t recordsKept = 0;
    // Sound comparisons of outputs whose row is lost: they are made again with it.
    std::uint64_t comparisonsDropped = 0;
    std::uint64_t rowsKept = 0;
    int rowsPlanned = 0;
    // Things below inputs and cells that were not copied because they are no files: links, pipes.
    std::uint64_t notCopied = 0;
    std::filesystem::path keptJournal;  // the damaged one, if the run was repaired in place
};

// Writes the run to the new folder `copy`, with a journal of the whole records alone. The run is
// left as it is. Errors: as of readRunFolder(), and Io if another program is writing the run.
[[nodiscard]] Result<Repair> repairCopy(const std::filesystem::path& run,
                                        const std::filesystem::path& copy);
// The same where the run lies; the damaged journal stays beside the new one.
[[nodiscard]] Result<Repair> repairInPlace(const std::filesystem::path& run);

}  // namespace qs::core
