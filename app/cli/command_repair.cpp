#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/text_parts.h"
#include "core/record/run_repair.h"
#include "core/report/words/warning_text.h"

#include <filesystem>

namespace qs::app {

namespace {

using core::Repair;

// "RUN-repaired" beside the run.
std::filesystem::path copyOf(const RepairCommand& command)
{
    if (!command.out.empty())
        return command.out;
    std::filesystem::path run = std::filesystem::path(command.run).lexically_normal();
    if (!run.has_filename())
        run = run.parent_path();
    run += "-repaired";
    return run;
}

void printRepair(const Repair& repair)
{
    for (const std::string& text : core::leftOutTexts(repair.leftOut))
        say("{}\n", core::cleanLine(text));
    if (repair.folder.empty()) {
        say("the journal is intact: nothing was written\n");
        return;
    }
    if (repair.comparisonsDropped > 0)
        say("{} dropped: the rows with their outputs are missing\n",
            core::counted(static_cast<std::uint64_t>(repair.comparisonsDropped), "comparison"));
    if (repair.notCopied > 0)
        say("{} items not copied: links or special files\n", repair.notCopied);
    const std::string folder = core::cleanLine(repair.folder.string());
    if (!repair.keptJournal.empty())
        say("the damaged journal was renamed to {}\n",
            core::cleanLine(repair.keptJournal.string()));
    say("written to {}: {} records, {} of {} planned rows\n", folder, repair.recordsKept,
        repair.rowsKept, repair.rowsPlanned);
    say("resume with: quantscope-cli run --resume --out {}\n", folder);
}

core::Result<Repair> repair(const RepairCommand& command)
{
    if (command.inPlace && !command.out.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--out and --in-place exclude each other"};
    return command.inPlace ? core::repairInPlace(command.run)
                           : core::repairCopy(command.run, copyOf(command));
}

}  // namespace

int repairCommand(const RepairCommand& command)
{
    const core::Result<Repair> done = repair(command);
    if (!done.ok())
        return fail(done.error());
    printRepair(done.value());
    return kExitOk;
}

}  // namespace qs::app
