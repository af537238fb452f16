#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/bounded_folder.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/run/cache_contents.h"
#include "core/run/calibration_store.h"
#include "core/run/program_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShownLetters = 12;

std::string entryText(const core::CalibrationEntry& entry)
{
    const core::StageCalibration& record = entry.record;
    return core::cleanLine(fmt::format(
        "{}  {} {} {}, {} samples ({}), {} layers, {}, made in {}",
        entry.texts.content.substr(0, kShownLetters), entry.texts.model, record.stage,
        entry.texts.precision, record.samples, record.set,
        record.layers.empty() ? entry.tensors : record.layers.size(),
        core::formatBytes(static_cast<double>(entry.bytes)), core::formatSeconds(record.seconds)));
}

// Beginnings of names; none: all.
bool isWanted(const CalibrationCommand& command, const core::CalibrationEntry& entry)
{
    if (command.entries.empty())
        return true;
    for (const std::string& begin : command.entries) {
        if (entry.texts.content.starts_with(begin))
            return true;
    }
    return false;
}

struct Copied {
    std::size_t entries = 0;
    std::size_t known = 0;  // were there already
    std::size_t refused = 0;
};

core::Result<Copied> copyAll(const CalibrationCommand& command, const fs::path& from,
                             const fs::path& to)
{
    QS_TRY(const auto entries, core::storedCalibrations(from));
    Copied copied;
    for (const core::StoredCalibration& stored : entries) {
        if (!stored.entry.ok()) {
            complainLine(stored.entry.error().message);
            ++copied.refused;
            continue;
        }
        if (!isWanted(command, stored.entry.value()))
            continue;
        QS_TRY(const bool fresh, core::copyCalibration(stored.file, to));
        if (fresh)
            sayLine(entryText(stored.entry.value()));
        ++(fresh ? copied.entries : copied.known);
    }
    return copied;
}

int sayCopied(const core::Result<Copied>& copied, std::string_view what, const fs::path& to)
{
    if (!copied.ok())
        return fail(copied.error());
    const Copied& count = copied.value();
    say("{} entries {} {}; {} were there already\n", count.entries, what,
        core::cleanLine(to.string()), count.known);
    if (count.refused > 0)
        complain(fmt::format("{} files were refused", count.refused));
    if (count.refused > 0 || count.entries + count.known == 0)
        return kExitCellFailed;
    return kExitOk;
}

int listEntries(const fs::path& cache)
{
    std::error_code error;
    if (!fs::exists(cache, error)) {
        say("nothing was calibrated yet: {} is not there\n", core::cleanLine(cache.string()));
        return kExitOk;
    }
    const auto entries = core::storedCalibrations(cache);
    if (!entries.ok())
        return fail(entries.error());
    std::size_t damaged = 0;
    for (const core::StoredCalibration& stored : entries.value()) {
        if (stored.entry.ok())
            sayLine(entryText(stored.entry.value()));
        else
            complainLine(stored.entry.error().message);
        damaged += stored.entry.ok() ? 0 : 1;
    }
    say("{} entries in {}\n", entries.value().size() - damaged, core::cleanLine(cache.string()));
    return damaged > 0 ? kExitCellFailed : kExitOk;
}

}  // namespace

int calibrationCommand(const CalibrationCommand& command)
{
    const fs::path caches = core::locatePrograms().workerCache;
    if (caches.empty()) {
        complain("there is no cache folder: set HOME or QUANTSCOPE_CACHE");
        return kExitUsage;
    }
    const fs::path cache = caches / core::kCacheKinds.of(core::CacheKind::Calibration);
    if (!command.exportTo.empty()) {
        std::error_code error;
        if (!fs::exists(cache, error))
            return listEntries(cache);
        return sayCopied(copyAll(command, cache, command.exportTo), "written to", command.exportTo);
    }
    if (!command.importFrom.empty()) {
        const auto copied = copyAll(command, command.importFrom, cache);
        core::keepWithin(cache, {core::kCalibrationExtension}, core::kMostCalibrationBytes);
        return sayCopied(copied, "taken into", cache);
    }
    return listEntries(cache);
}

}  // namespace qs::app
