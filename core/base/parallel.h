#pragma once

#include "core/base/stop.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace qs::core {

// Calls work(0) … work(count - 1), each once, on up to 16 threads and waits for all. Calls run at
// the same time: each may write only what belongs to its number. The first exception of `work` is
// thrown again here. What has not begun when `stop` is asked for is left out. All calls together,
// also one within another, have no more threads than there are processors.
void inParallel(std::size_t count, const std::function<void(std::size_t index)>& work,
                const std::stop_token& stop = {});

// make(0) … make(count - 1) at the same time, in order; the first error of them, Cancelled once a
// stop was asked for.
template <class T>
[[nodiscard]] Result<std::vector<T>>
madeInParallel(std::size_t count, const std::function<Result<T>(std::size_t index)>& make,
               const std::stop_token& stop = {})
{
    std::vector<std::optional<Result<T>>> made(count);
    inParallel(
        count, [&](std::size_t index) { made[index].emplace(make(index)); }, stop);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    std::vector<T> all;
    for (std::optional<Result<T>>& each : made) {
        if (!each->ok())
            return each->error();
        all.push_back(std::move(*each).value());
    }
    return all;
}

}  // namespace qs::core
