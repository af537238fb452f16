#pragma once

#include "core/measure/host_load.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace qs::core {

// What other processes take of the processor while cells run on it: the time that its cores have
// worked, less that of this process and of its worker. For the thread that supervises.
class CpuWatch final
{
public:
    // How long is looked before a cell.
    static constexpr std::chrono::milliseconds kLook{100};

    explicit CpuWatch(std::filesystem::path root = "/");

    // Before a cell.
    void prepare();
    // After it, while its worker is still there.
    [[nodiscard]] HostLoad finish(std::int64_t worker);

private:
    // All cores, this process and the moment.
    struct Reading {
        std::optional<double> worked;
        std::optional<double> own;
        double at = 0.0;
    };
    [[nodiscard]] Reading read() const;
    // Cores' worth of others between two readings, `worker` seconds of which were a worker's.
    [[nodiscard]] std::optional<double> others(const Reading& first, const Reading& last,
                                               double worker) const;

    std::filesystem::path m_root;
    std::vector<int> m_cores;
    std::map<std::int64_t, double> m_workerSeconds;  // of kept workers, at the end of a cell
    Reading m_begin;
    HostLoad m_load;
};

}  // namespace qs::core
