#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/run/cache_contents.h"
#include "core/run/program_paths.h"

namespace qs::app {

namespace {

using core::CacheContents;
using core::kCacheKinds;

void printContents(const CacheContents& contents)
{
    say("{:<12} {:>7} files {:>12}  {}\n", kCacheKinds.of(contents.kind), contents.files,
        core::formatBytes(static_cast<double>(contents.bytes)),
        core::cleanLine(contents.folder.string()));
}

}  // namespace

int cacheCommand(const CacheCommand& command)
{
    const std::filesystem::path caches = core::locatePrograms().workerCache;
    if (caches.empty()) {
        complain("there is no cache folder: set HOME or QUANTSCOPE_CACHE");
        return kExitUsage;
    }
    if (!command.clear) {
        for (const CacheContents& contents : core::cacheContents(caches))
            printContents(contents);
        return kExitOk;
    }
    std::size_t remaining = 0;
    for (const core::CacheKind kind : kCacheKinds.values()) {
        if (!command.kind.empty() && command.kind != kCacheKinds.of(kind))
            continue;
        const CacheContents cleared = core::clearCache(caches, kind);
        say("{}: {} files removed, {}\n", kCacheKinds.of(kind), cleared.files - cleared.remaining,
            core::formatBytes(static_cast<double>(cleared.bytes)));
        remaining += cleared.remaining;
    }
    if (remaining > 0)
        complain(fmt::format("{} files could not be removed", remaining));
    return remaining > 0 ? kExitCellFailed : kExitOk;
}

}  // namespace qs::app
