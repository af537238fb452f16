#include "core/device/nvml.h"

#include "core/device/clock_reasons.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

// Declarations after NVIDIA's NVML API reference (docs.nvidia.com/deploy/nvml-api); the binary
// interface of the versioned functions does not change.
namespace qs::core {

namespace {

constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr unsigned kClockSm = 1;
constexpr unsigned kTemperatureGpu = 0;
constexpr unsigned kUuidLength = 96;
constexpr unsigned kVersionLength = 80;

constexpr unsigned kPowerPolicy = 0;
constexpr unsigned kThermalPolicy = 1;

// In the unit that is shown, of which the driver counts so many parts; nothing stays nothing.
template <typename Value>
std::optional<double> inUnits(const std::optional<Value>& value, double partsOfAUnit)
{
    return value ? std::optional(static_cast<double>(*value) / partsOfAUnit) : std::nullopt;
}

}  // namespace

struct Nvml::Library {
    using Device = struct NvmlDevice*;

    struct Memory {
        unsigned long long total;
        unsigned long long free;
        unsigned long long used;
    };

    struct ViolationTime {
        unsigned long long reference;  // microseconds
        unsigned long long violation;  // nanoseconds
    };

    struct ProcessInfo {
        unsigned pid;
        unsigned long long usedGpuMemory;  // all bits set: not available
        unsigned gpuInstanceId;
        unsigned computeInstanceId;
    };

    ~Library()
    {
        if (initialized)
            shutdown();
        if (handle != nullptr)
            ::dlclose(handle);
    }

    template <typename Function>
    void find(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(::dlsym(handle, name));
    }

    // Call a function that may be missing; its result, if it succeeds.
    template <typename Value>
    static std::optional<Value> ask(int (*function)(Device, Value*), Device device)
    {
        Value value{};
        if (function == nullptr || function(device, &value) != kSuccess)
            return std::nullopt;
        return value;
    }
    template <typename Value>
    static std::optional<Value> ask(int (*function)(Device, unsigned, Value*), Device device,
                                    unsigned which)
    {
        Value value{};
        if (function == nullptr || function(device, which, &value) != kSuccess)
            return std::nullopt;
        return value;
    }

    // The current one of a mode that has a current and a pending value.
    static std::optional<bool> askMode(int (*function)(Device, unsigned*, unsigned*), Device device)
    {
        unsigned current = 0;
        unsigned pending = 0;
        if (function == nullptr || function(device, &current, &pending) != kSuccess)
            return std::nullopt;
        return current != 0;
    }

    // See GpuSettings::clocks. A default below the maximum gives the same reason as a setting, but
    // only under load: it must not make another environment of a device that is busy.
    [[nodiscard]] std::string clocksPolicy(Device device, const std::optional<double>& most) const
    {
        const auto chosen = ask(applicationsClock, device, kClockSm);
        const auto usual = ask(defaultApplicationsClock, device, kClockSm);
        if (chosen && usual && *chosen != *usual)
            return "application clock " + std::to_string(*chosen) + " MHz";
        const bool held = (ask(reasons, device).value_or(0) & kClocksAreSet) != 0;
        const bool byDefault = usual && (!most || static_cast<double>(*usual) < *most);
        if (held && !byDefault)
            return "set";
        return chosen && usual ? "default" : "";
    }

    void* handle = nullptr;
    bool initialized = false;
    std::vector<Device> devices;

    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*byIndex)(unsigned, Device*) = nullptr;
    int (*uuid)(Device, char*, unsigned) = nullptr;
    int (*clock)(Device, unsigned, unsigned*) = nullptr;
    int (*power)(Device, unsigned*) = nullptr;
    int (*temperature)(Device, unsigned, unsigned*) = nullptr;
    int (*energy)(Device, unsigned long long*) = nullptr;
    int (*memory)(Device, Memory*) = nullptr;
    int (*reasons)(Device, unsigned long long*) = nullptr;
    int (*processes)(Device, unsigned*, ProcessInfo*) = nullptr;
    int (*maximumClock)(Device, unsigned, unsigned*) = nullptr;
    int (*violation)(Device, unsigned, ViolationTime*) = nullptr;
    int (*driverVersion)(char*, unsigned) = nullptr;
    int (*applicationsClock)(Device, unsigned, unsigned*) = nullptr;
    int (*defaultApplicationsClock)(Device, unsigned, unsigned*) = nullptr;
    int (*powerLimit)(Device, unsigned*) = nullptr;
    int (*defaultPowerLimit)(Device, unsigned*) = nullptr;
    int (*eccMode)(Device, unsigned*, unsigned*) = nullptr;
    int (*migMode)(Device, unsigned*, unsigned*) = nullptr;
    int (*persistence)(Device, unsigned*) = nullptr;
};

std::optional<std::int64_t> usedBytes(const std::vector<GpuProcess>& processes, std::int64_t pid)
{
    const auto found = std::find_if(processes.begin(), processes.end(),
                                    [&](const GpuProcess& each) { return each.pid == pid; });
    return found == processes.end() ? std::nullopt : found->usedBytes;
}

Nvml::Nvml(std::unique_ptr<Library> library) : m_library(std::move(library)) {}
Nvml::~Nvml() = default;
Nvml::Nvml(Nvml&&) noexcept = default;
Nvml& Nvml::operator=(Nvml&&) noexcept = default;

Result<Nvml> Nvml::open(const std::string& library)
{
    auto opened = std::make_unique<Library>();
    opened->handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened->handle == nullptr)
        return Error{ErrorCode::Unsupported, "no NVIDIA driver is installed"};
    Library& all = *opened;
    all.find(all.init, "nvmlInit_v2");
    all.find(all.shutdown, "nvmlShutdown");
    all.find(all.count, "nvmlDeviceGetCount_v2");
    all.find(all.byIndex, "nvmlDeviceGetHandleByIndex_v2");
    all.find(all.uuid, "nvmlDeviceGetUUID");
    all.find(all.clock, "nvmlDeviceGetClockInfo");
    all.find(all.power, "nvmlDeviceGetPowerUsage");
    all.find(all.temperature, "nvmlDeviceGetTemperature");
    all.find(all.energy, "nvmlDeviceGetTotalEnergyConsumption");
    all.find(all.memory, "nvmlDeviceGetMemoryInfo");
    all.find(all.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    // Its name since driver 535; the older one is deprecated.
    if (all.reasons == nullptr)
        all.find(all.reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    all.find(all.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    all.find(all.maximumClock, "nvmlDeviceGetMaxClockInfo");
    all.find(all.violation, "nvmlDeviceGetViolationStatus");
    all.find(all.driverVersion, "nvmlSystemGetDriverVersion");
    all.find(all.applicationsClock, "nvmlDeviceGetApplicationsClock");
    all.find(all.defaultApplicationsClock, "nvmlDeviceGetDefaultApplicationsClock");
    all.find(all.powerLimit, "nvmlDeviceGetEnforcedPowerLimit");
    all.find(all.defaultPowerLimit, "nvmlDeviceGetPowerManagementDefaultLimit");
    all.find(all.eccMode, "nvmlDeviceGetEccMode");
    all.find(all.migMode, "nvmlDeviceGetMigMode");
    all.find(all.persistence, "nvmlDeviceGetPersistenceMode");
    if (all.init == nullptr || all.shutdown == nullptr || all.count == nullptr ||
        all.byIndex == nullptr)
        return Error{ErrorCode::Unsupported, library + " is not NVML"};
    if (const int code = all.init(); code != kSuccess)
        return Error{ErrorCode::Unsupported,
                     "the NVIDIA driver does not answer (NVML error " + std::to_string(code) + ")"};
    all.initialized = true;
    unsigned count = 0;
    if (all.count(&count) != kSuccess)
        count = 0;
    for (unsigned index = 0; index < count; ++index) {
        Library::Device device = nullptr;
        if (all.byIndex(index, &device) == kSuccess)
            all.devices.push_back(device);
    }
    return Nvml(std::move(opened));
}

int Nvml::deviceCount() const
{
    return static_cast<int>(m_library->devices.size());
}

std::string Nvml::uuid(int device) const
{
    std::array<char, kUuidLength> text{};
    if (m_library->uuid == nullptr ||
        m_library->uuid(m_library->devices.at(static_cast<std::size_t>(device)), text.data(),
                        kUuidLength - 1) != kSuccess)
        return {};
    return text.data();
}

GpuReading Nvml::read(int device) const
{
    const Library& all = *m_library;
    const Library::Device handle = all.devices.at(static_cast<std::size_t>(device));
    GpuReading reading;
    reading.smClockMegahertz = inUnits(all.ask(all.clock, handle, kClockSm), 1.0);
    reading.powerWatts = inUnits(all.ask(all.power, handle), 1e3);
    reading.temperatureCelsius = inUnits(all.ask(all.temperature, handle, kTemperatureGpu), 1.0);
    reading.energyJoules = inUnits(all.ask(all.energy, handle), 1e3);
    if (const auto memory = all.ask(all.memory, handle))
        reading.memoryUsedBytes = static_cast<std::int64_t>(memory->used);
    if (const auto reasons = all.ask(all.reasons, handle))
        reading.clockEventReasons = *reasons;
    if (const auto time = all.ask(all.violation, handle, kPowerPolicy))
        reading.powerCappedSeconds = static_cast<double>(time->violation) * 1e-9;
    if (const auto time = all.ask(all.violation, handle, kThermalPolicy))
        reading.thermalCappedSeconds = static_cast<double>(time->violation) * 1e-9;
    return reading;
}

std::optional<double> Nvml::maximumSmClock(int device) const
{
    const Library& all = *m_library;
    const Library::Device handle = all.devices.at(static_cast<std::size_t>(device));
    return inUnits(all.ask(all.maximumClock, handle, kClockSm), 1.0);
}

std::vector<GpuProcess> Nvml::processes(int device) const
{
    const Library& all = *m_library;
    if (all.processes == nullptr)
        return {};
    const Library::Device handle = all.devices.at(static_cast<std::size_t>(device));
    constexpr unsigned kRoomToSpare = 8;  // for processes that begin between the two calls
    unsigned count = 0;
    const int code = all.processes(handle, &count, nullptr);
    if (code != kInsufficientSize)
        return {};
    count += kRoomToSpare;
    std::vector<Library::ProcessInfo> infos(count);
    if (all.processes(handle, &count, infos.data()) != kSuccess)
        return {};
    std::vector<GpuProcess> processes;
    for (unsigned i = 0; i < count && i < infos.size(); ++i) {
        GpuProcess process;
        process.pid = infos[i].pid;
        process.group = std::max(0, ::getpgid(static_cast<pid_t>(infos[i].pid)));
        if (infos[i].usedGpuMemory != ~0ULL)
            process.usedBytes = static_cast<std::int64_t>(infos[i].usedGpuMemory);
        processes.push_back(process);
    }
    return processes;
}

GpuSettings Nvml::settings(int device) const
{
    const Library& all = *m_library;
    const Library::Device handle = all.devices.at(static_cast<std::size_t>(device));
    GpuSettings settings;
    settings.uuid = uuid(device);
    std::array<char, kVersionLength> driver{};
    if (all.driverVersion != nullptr &&
        all.driverVersion(driver.data(), kVersionLength - 1) == kSuccess)
        settings.driver = driver.data();
    settings.maxSmClockMegahertz = maximumSmClock(device);
    settings.clocks = all.clocksPolicy(handle, settings.maxSmClockMegahertz);
    settings.powerLimitWatts = inUnits(all.ask(all.powerLimit, handle), 1e3);
    settings.defaultPowerLimitWatts = inUnits(all.ask(all.defaultPowerLimit, handle), 1e3);
    settings.ecc = all.askMode(all.eccMode, handle);
    settings.mig = all.askMode(all.migMode, handle);
    if (const auto persistence = all.ask(all.persistence, handle))
        settings.persistence = *persistence != 0;
    return settings;
}

std::vector<GpuSettings> readGpuSettings(const std::vector<std::string>& uuids,
                                         const std::string& nvmlLibrary)
{
    std::vector<GpuSettings> all;
    if (uuids.empty())
        return all;  // a driver takes seconds to open on a machine with many GPUs
    const auto nvml = Nvml::open(nvmlLibrary);
    if (!nvml.ok())
        return all;
    for (int device = 0; device < nvml.value().deviceCount(); ++device) {
        GpuSettings settings = nvml.value().settings(device);
        if (std::find(uuids.begin(), uuids.end(), settings.uuid) != uuids.end())
            all.push_back(std::move(settings));
    }
    return all;
}

}  // namespace qs::core
