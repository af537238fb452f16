#pragma once

#include <cstddef>
#include <functional>

namespace qs::core {

// Calls work(0) … work(count - 1), each once, on up to 16 threads and waits for all. Calls run at
// the same time: each may write only what belongs to its number. The first exception of `work` is
// thrown again here.
void inParallel(std::size_t count, const std::function<void(std::size_t index)>& work);

}  // namespace qs::core
