#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace qs::core {

// Calls work(0) … work(count - 1), each once, on up to 16 threads and waits for all. Calls run at
// the same time: each may write only what belongs to its number. The first exception of `work` is
// thrown again here. What has not begun when `stop` is asked for is left out. All calls together,
// also one within another, have no more threads than there are processors.
void inParallel(std::size_t count, const std::function<void(std::size_t index)>& work,
                const std::stop_token& stop = {});

// The same for work that may fail: the first error by number, Cancelled once a stop was asked for.
[[nodiscard]] Status eachInParallel(std::size_t count,
                                    const std::function<Status(std::size_t index)>& work,
                                    const std::stop_token& stop = {});

}  // namespace qs::core
