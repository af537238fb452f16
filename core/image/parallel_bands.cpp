#include "core/image/parallel_bands.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace qs::core {

void forEachBand(int rows, const std::function<void(int first, int last)>& work,
                 const std::stop_token& stop)
{
    const int bands = (rows + kBandRows - 1) / kBandRows;
    std::atomic<int> next{0};
    std::mutex failureGuard;
    std::exception_ptr failure;
    const auto drain = [&] {
        for (int band = next++; band < bands && !stop.stop_requested(); band = next++) {
            try {
                work(band * kBandRows, std::min(rows, (band + 1) * kBandRows));
            } catch (...) {
                const std::scoped_lock lock(failureGuard);
                failure = std::current_exception();
                next = bands;
            }
        }
    };
    const int processors = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
    std::vector<std::jthread> threads;
    try {
        for (int i = 1; i < std::min(processors, bands); ++i)
            threads.emplace_back(drain);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that are there do it all.
    }
    drain();
    threads.clear();  // joins
    if (failure)
        std::rethrow_exception(failure);
}

}  // namespace qs::core
