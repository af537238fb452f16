#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kMostThreads = 16;

}  // namespace

void inParallel(std::size_t count, const std::function<void(std::size_t index)>& work,
                const std::stop_token& stop)
{
    std::atomic<std::size_t> next{0};
    std::mutex failureGuard;
    std::exception_ptr failure;
    const auto drain = [&] {
        for (std::size_t index = next++; index < count && !stop.stop_requested(); index = next++) {
            try {
                work(index);
            } catch (...) {
                const std::scoped_lock lock(failureGuard);
                failure = std::current_exception();
                next = count;
            }
        }
    };
    const std::size_t processors =
        std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 1; i < std::min(processors, count); ++i)
            threads.emplace_back(drain);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that are there do all of it.
    }
    drain();
    threads.clear();  // joins
    if (failure)
        std::rethrow_exception(failure);
}

}  // namespace qs::core
