#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
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

void print(const Repair& repair)
{
    for (const std::string& text : core::leftOutTexts(repair.leftOut))
        say("{}\n", core::cleanLine(text));
    if (repair.folder.empty()) {
        say("the run is sound: nothing was written\n");
        return;
    }
    if (repair.comparisonsDropped > 0)
        say("{} comparisons of pictures are left out as well, because the rows that made the "
            "pictures are missing\n",
            repair.comparisonsDropped);
    if (repair.notCopied > 0)
        say("{} links and other things that are no files were not copied\n", repair.notCopied);
    const std::string folder = core::cleanLine(repair.folder.string());
    if (!repair.keptJournal.empty())
        say("the damaged journal is kept as {}\n", core::cleanLine(repair.keptJournal.string()));
    say("written to {}: {} records, {} of {} planned rows\n", folder, repair.recordsKept,
        repair.rowsKept, repair.rowsPlanned);
    say("go on with: quantscope-cli run --resume --out {}\n", folder);
}

core::Result<Repair> repair(const RepairCommand& command)
{
    if (command.inPlace && !command.out.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "--out and --in-place are two things: name one of them"};
    return command.inPlace ? core::repairInPlace(command.run)
                           : core::repairCopy(command.run, copyOf(command));
}

}  // namespace

int repairCommand(const RepairCommand& command)
{
    const core::Result<Repair> done = repair(command);
    if (!done.ok()) {
        complain(done.error().message);
        return exitCodeOf(done.error());
    }
    print(done.value());
    return kExitOk;
}

}  // namespace qs::app
