#include "core/run/each_output.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/record/run_folder.h"

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// As large as 512 x 512 pixels: many of them at a time take little memory.
constexpr std::uintmax_t kSmallOutputBytes = 4 << 20;

bool isSmall(const FilePlace& array)
{
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(array.path(), failure);
    return !failure && bytes <= kSmallOutputBytes;
}

}  // namespace

Status forEachOutput(const fs::path& runFolder, const std::string& place, int count,
                     const std::function<Status(int output)>& work, const std::stop_token& stop)
{
    if (isSmall(outputArray(runFolder, place, 0)))
        return eachInParallel(
            static_cast<std::size_t>(count),
            [&](std::size_t index) { return work(static_cast<int>(index)); }, stop);
    for (int i = 0; i < count; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_RETURN_IF_ERROR(work(i));
    }
    return {};
}

}  // namespace qs::core
