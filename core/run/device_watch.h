#pragma once

#include "core/device/telemetry.h"
#include "core/measure/cell_result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Note [Witness]
// The worker knows when its samples began, the supervising process what the device did: both clocks
// are CLOCK_MONOTONIC of the same machine, so that one can be laid beside the other. Of the
// processes that the driver lists, those that this run has started are its own, all others are
// foreign. A driver inside a container may list numbers of the host; if the worker is not among
// them, nothing is claimed about any process.

// Turns readings into the trace of one cell. `gpu`: place of its device in the readings. `own`:
// processes that this run has started; the last of them, `worker`, ran the cell. Memory of the
// process in `result` becomes the most that the driver counted, if that is the counter the worker
// tested; samples that met a disturbance are listed, and what there is to say of the clock is
// noted: for that, the trace already has the highest one.
void addTrace(const std::vector<TelemetrySample>& samples, std::size_t gpu, std::int64_t worker,
              const std::set<std::int64_t>& own, CellResult& result);

// What the supervising process sees of the devices while cells run on them. For the thread that
// supervises.
class DeviceWatch final
{
public:
    static constexpr double kPeriodSeconds = 0.05;
    // More than this beyond the start counts as not given back.
    static constexpr std::int64_t kLeftOverTolerance = std::int64_t{64} << 20U;
    static constexpr double kPatienceSeconds = 10.0;
    // The longest cell that is seen as a whole.
    static constexpr double kKeptSeconds = 3600.0;

    explicit DeviceWatch(const std::string& library = Nvml::kLibrary,
                         double periodSeconds = kPeriodSeconds,
                         double patienceSeconds = kPatienceSeconds);

    // Before a cell on the GPU of that uuid. If its process is a fresh one, waits until the memory
    // of the cells before has come back. True if a driver tells about that GPU. A stop ends the
    // waiting.
    bool prepare(const std::string& uuid, bool freshProcess, const std::stop_token& stop);
    // After it.
    void finish(std::int64_t worker, CellResult& result);
    // The same for a cell that has failed: processes that used the GPU since that moment of
    // Telemetry::now() and are not of this run; none if the driver does not list the worker.
    [[nodiscard]] std::vector<ForeignProcess> strangersSince(double begin, std::int64_t worker);

private:
    [[nodiscard]] bool find(const std::string& uuid, const std::stop_token& stop);
    void waitForMemory(const std::stop_token& stop);
    void pause() const;

    Telemetry m_telemetry;
    double m_period;
    double m_patience;
    std::set<std::int64_t> m_own;
    std::optional<std::size_t> m_gpu;
    std::vector<std::optional<std::int64_t>> m_usedAtStart;  // per GPU, before its first cell
    std::optional<std::int64_t> m_leftOver;
};

}  // namespace qs::core
