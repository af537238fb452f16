#include "core/base/parallel.h"

#include "core/base/stop.h"
#include "core/base/thread_room.h"

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

std::atomic<std::size_t> sHelping{0};  // threads of all calls at a time

// Threads that a call may start: no more than there are processors beside those of other calls.
class Helpers final
{
public:
    explicit Helpers(std::size_t wanted)
    {
        const std::size_t most =
            std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads) - 1;
        std::size_t helping = sHelping;
        do {
            m_count = std::min(wanted, most - std::min(most, helping));
        } while (!sHelping.compare_exchange_weak(helping, helping + m_count));
    }
    ~Helpers() { sHelping -= m_count; }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    [[nodiscard]] std::size_t count() const { return m_count; }

private:
    std::size_t m_count = 0;
};

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
    const Helpers helpers(count - std::min<std::size_t>(count, 1));
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 0; i < helpers.count() && hasRoomForThread(); ++i)
            threads.emplace_back(drain);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that are there do all of it.
    }
    drain();
    threads.clear();  // joins
    if (failure)
        std::rethrow_exception(failure);
}

Status eachInParallel(std::size_t count, const std::function<Status(std::size_t index)>& work,
                      const std::stop_token& stop)
{
    std::vector<Status> done(count);
    inParallel(
        count, [&](std::size_t index) { done[index] = work(index); }, stop);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    for (const Status& each : done)
        QS_RETURN_IF_ERROR(each);
    return {};
}

}  // namespace qs::core
