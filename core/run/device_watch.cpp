#include "core/run/device_watch.h"

#include "core/base/files.h"
#include "core/measure/clock_notes.h"
#include "core/measure/tested_memory.h"
#include "core/measure/throttling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

namespace qs::core {

namespace {

// Readings before the cell and after it, so that the ends of its samples have neighbours.
constexpr double kMargin = 0.3;             // seconds
constexpr double kReadingPatience = 2.0;    // seconds
constexpr double kSparse = 0.5;             // seconds between points outside the samples
constexpr double kAtRest = 5.0;             // the same while loading and compiling
constexpr double kDriverPatience = 20.0;    // seconds: opening it takes long with many GPUs
constexpr std::uint64_t kNameLimit = 4096;  // bytes

std::string nameOfProcess(std::int64_t pid)
{
    const auto name = readTextFile("/proc/" + std::to_string(pid) + "/comm", kNameLimit);
    std::string text = name.ok() ? name.value() : std::string();
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    return text;
}

DevicePoint pointOf(const TelemetrySample& sample, std::size_t gpu, double began,
                    std::int64_t worker)
{
    const GpuReading& reading = sample.gpus[gpu];
    DevicePoint point;
    point.at = sample.seconds - began;
    point.smClockMegahertz = reading.smClockMegahertz;
    point.powerWatts = reading.powerWatts;
    point.temperatureCelsius = reading.temperatureCelsius;
    point.energyJoules = reading.energyJoules;
    point.slowdownBits = reading.clockEventReasons;
    if (gpu >= sample.processes.size())
        return point;
    point.processBytes = usedBytes(sample.processes[gpu], worker);
    return point;
}

// The difference of a counter between the first and the last reading that have it.
std::optional<double> risen(const std::vector<TelemetrySample>& samples, std::size_t gpu,
                            std::optional<double> GpuReading::*counter)
{
    std::optional<double> first;
    std::optional<double> last;
    for (const TelemetrySample& sample : samples) {
        const auto& value = sample.gpus[gpu].*counter;
        if (value && !first)
            first = value;
        if (value)
            last = value;
    }
    return first ? std::optional(std::max(0.0, *last - *first)) : std::nullopt;
}

// A counter of the driver from the first reading of the cell on. Rounded: a journal is read and
// kept for years, and the driver does not count in less than microseconds.
void addCounter(const std::vector<TelemetrySample>& samples, std::size_t gpu,
                std::optional<double> GpuReading::*counter, DeviceTrace& trace,
                std::optional<double> DevicePoint::*member)
{
    constexpr double kPerSecond = 1e6;
    std::optional<double> first;
    double last = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto& value = samples[i].gpus[gpu].*counter;
        if (!value)
            continue;
        first = first.value_or(*value);
        last = std::max(last, std::round((*value - *first) * kPerSecond) / kPerSecond);
        trace.points[i].*member = last;
    }
}

std::vector<ForeignProcess> foreignProcesses(const std::vector<TelemetrySample>& samples,
                                             std::size_t gpu, const std::set<std::int64_t>& own)
{
    // What a worker starts, a compiler say, is of its group. The driver lists a process for a
    // moment after its end, when its group can no longer be read.
    std::set<std::int64_t> ours = own;
    for (const TelemetrySample& sample : samples) {
        for (const GpuProcess& process : sample.processes[gpu]) {
            if (own.contains(process.group))
                ours.insert(process.pid);
        }
    }
    std::map<std::int64_t, std::int64_t> largest;  // bytes by process
    for (const TelemetrySample& sample : samples) {
        for (const GpuProcess& process : sample.processes[gpu]) {
            if (!ours.contains(process.pid))
                largest[process.pid] =
                    std::max(largest[process.pid], process.usedBytes.value_or(0));
        }
    }
    std::vector<ForeignProcess> processes;
    for (const auto& [pid, bytes] : largest)
        processes.push_back({nameOfProcess(pid), pid, bytes});
    return processes;
}

bool isListed(const std::vector<TelemetrySample>& samples, std::size_t gpu, std::int64_t worker)
{
    return std::any_of(samples.begin(), samples.end(), [&](const TelemetrySample& sample) {
        return gpu < sample.processes.size() &&
               std::any_of(sample.processes[gpu].begin(), sample.processes[gpu].end(),
                           [&](const GpuProcess& process) { return process.pid == worker; });
    });
}

bool allWatched(const std::vector<TelemetrySample>& samples, std::size_t gpu)
{
    return std::all_of(samples.begin(), samples.end(), [&](const TelemetrySample& sample) {
        return gpu < sample.processes.size();
    });
}

// The worker looked at the driver's count a few times, this process all the time: from the end of
// the self-test on, whose block is no memory of the cell, until the outputs are written, behind
// which the profile and the layer report are made. Where the worker tested another counter,
// its own figure stays: see Note [Memory self-test] in core/measure/memory_self_test.h.
void takeProcessMemory(CellResult& result)
{
    const double from = selfTestEnd(result);
    const PhaseTime* outputs = result.phase(Phase::Outputs);
    const double to = outputs != nullptr ? outputs->start + outputs->seconds
                                         : std::numeric_limits<double>::infinity();
    if (!result.memory.selfTest.passed() ||
        result.memory.selfTest.processCounter != ProcessCounter::Driver)
        return;
    for (const DevicePoint& point : result.trace.points) {
        // A reading is made after its moment.
        if (point.at >= from && point.at <= to)
            result.memory.processPeak = std::max(result.memory.processPeak, point.processBytes);
    }
}

// More points than this tell no more: of an hour, one in a second.
constexpr std::size_t kMostPoints = 4000;

// The counter is read where the stretch of passes for it begins and where it ends.
bool isEnergyEdge(const CellResult& result, double at)
{
    if (!result.energy)
        return false;
    const auto [passes, start, seconds] = *result.energy;
    return std::abs(at - start) <= kMargin || std::abs(at - start - seconds) <= kMargin;
}

// Where nothing is sampled the points need not be as dense, least of all before the warm-up: a
// journal is read and kept for years.
void thinOut(CellResult& result)
{
    const PhaseTime* measure = result.phase(Phase::Measure);
    const double from = measure != nullptr ? measure->start - kMargin : 0.0;
    const double to = measure != nullptr ? from + measure->seconds + 2.0 * kMargin : 0.0;
    const PhaseTime* warmup = result.phase(Phase::Warmup);
    const double begin = (warmup != nullptr ? warmup->start : from) - kMargin;
    const auto points = static_cast<double>(result.trace.points.size());
    const double step = points > kMostPoints ? (to - from) / kMostPoints : 0.0;
    double last = -std::numeric_limits<double>::infinity();
    std::erase_if(result.trace.points, [&](const DevicePoint& point) {
        const bool sampled = point.at >= from && point.at <= to;
        const double sparse = point.at < begin ? kAtRest : kSparse;
        const bool keep = point.at - last >= (sampled ? step : std::max(step, sparse)) ||
                          isEnergyEdge(result, point.at);
        if (keep)
            last = point.at;
        return !keep;
    });
}

}  // namespace

void addTrace(const std::vector<TelemetrySample>& samples, std::size_t gpu, std::int64_t worker,
              const std::set<std::int64_t>& own, CellResult& result)
{
    DeviceTrace& trace = result.trace;
    for (const TelemetrySample& sample : samples)
        trace.points.push_back(pointOf(sample, gpu, result.began, worker));
    addCounter(samples, gpu, &GpuReading::powerCappedSeconds, trace,
               &DevicePoint::powerCappedSeconds);
    addCounter(samples, gpu, &GpuReading::thermalCappedSeconds, trace,
               &DevicePoint::thermalCappedSeconds);
    if (samples.empty())
        return;
    trace.powerCappedSeconds = risen(samples, gpu, &GpuReading::powerCappedSeconds);
    trace.thermalCappedSeconds = risen(samples, gpu, &GpuReading::thermalCappedSeconds);
    if (isListed(samples, gpu, worker) && allWatched(samples, gpu))
        trace.foreignProcesses = foreignProcesses(samples, gpu, own);
    takeProcessMemory(result);
    for (const ForeignProcess& each : trace.foreignProcesses)
        result.notes.push_back(
            {NoteCode::ForeignProcess, {each.name, double(each.pid), double(each.bytes)}});
    Throttling throttling = findThrottling(result);
    result.discards = std::move(throttling.discards);
    if (throttling.throughout)
        result.notes.push_back(
            {NoteCode::Throttled, {std::string(kSlowdowns.of(*throttling.throughout))}});
    for (Note& note : clockNotes(result))
        result.notes.push_back(std::move(note));
    thinOut(result);
}

DeviceWatch::DeviceWatch(const std::string& library, double periodSeconds, double patienceSeconds)
    : m_telemetry(library, periodSeconds, true, kKeptSeconds),
      m_period(periodSeconds),
      m_patience(patienceSeconds)
{
}

void DeviceWatch::pause() const
{
    std::this_thread::sleep_for(std::chrono::duration<double>(m_period));
}

bool DeviceWatch::find(const std::string& uuid, const std::stop_token& stop)
{
    m_gpu.reset();
    const double begin = Telemetry::now();
    while (!m_telemetry.whyNot() && Telemetry::now() - begin < kDriverPatience &&
           !stop.stop_requested())
        pause();
    const std::vector<std::string> uuids = m_telemetry.uuids();
    const auto place = std::find(uuids.begin(), uuids.end(), uuid);
    if (m_telemetry.whyNot() != "" || place == uuids.end())
        return false;
    m_gpu = static_cast<std::size_t>(place - uuids.begin());
    m_usedAtStart.resize(uuids.size());
    return true;
}

bool DeviceWatch::prepare(const std::string& uuid, bool freshProcess, const std::stop_token& stop)
{
    m_leftOver.reset();
    if (!find(uuid, stop))
        return false;
    if (freshProcess)
        waitForMemory(stop);
    return true;
}

void DeviceWatch::waitForMemory(const std::stop_token& stop)
{
    std::optional<std::int64_t>& atStart = m_usedAtStart[*m_gpu];
    std::optional<std::int64_t> used;
    const double arrived = Telemetry::now();
    while (Telemetry::now() - arrived < m_patience && !stop.stop_requested()) {
        // Readings of before this call may show what has gone since.
        const auto samples = m_telemetry.since(arrived);
        used = samples.empty() ? std::nullopt : samples.back().gpus[*m_gpu].memoryUsedBytes;
        if (!samples.empty() && (!used || !atStart || *used <= *atStart + kLeftOverTolerance))
            break;
        pause();
    }
    if (!atStart)
        atStart = used;
    else if (used && *used > *atStart + kLeftOverTolerance)
        m_leftOver = *used - *atStart;
}

std::vector<ForeignProcess> DeviceWatch::strangersSince(double begin, std::int64_t worker)
{
    m_own.insert(worker);
    if (!m_gpu)
        return {};
    const std::vector<TelemetrySample> samples = m_telemetry.since(begin);
    if (!isListed(samples, *m_gpu, worker) || !allWatched(samples, *m_gpu))
        return {};
    return foreignProcesses(samples, *m_gpu, m_own);
}

void DeviceWatch::finish(std::int64_t worker, CellResult& result)
{
    m_own.insert(worker);
    if (!m_gpu || result.began <= 0.0)
        return;
    // One reading after the last sample, so that it has neighbours on both sides; a busy computer
    // may be late with it.
    const double ended = Telemetry::now();
    std::vector<TelemetrySample> samples;
    do {
        pause();
        samples = m_telemetry.since(result.began - kMargin);
    } while ((samples.empty() || samples.back().seconds < ended) &&
             Telemetry::now() - ended < kReadingPatience);
    result.trace.maximumClockMegahertz = m_telemetry.maximumClocks().at(*m_gpu);
    addTrace(samples, *m_gpu, worker, m_own, result);
    result.trace.leftOverBytes = m_leftOver;
    if (m_leftOver)
        result.notes.push_back({NoteCode::MemoryLeftOver, {double(*m_leftOver)}});
}

}  // namespace qs::core
