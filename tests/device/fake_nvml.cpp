// A management library with two GPUs for tests: the first tells everything, the second nothing. Its
// clock rises with every question, so that readings can be told apart.

#include <cstdlib>
#include <cstring>

struct NvmlDevice {
    int index;
};

namespace {

NvmlDevice gpus[2] = {{0}, {1}};
unsigned clockNow = 1000;
constexpr int kNotSupported = 3;
constexpr int kInsufficientSize = 7;

struct Memory {
    unsigned long long total, free, used;
};
struct Violation {
    unsigned long long reference, violation;
};
struct ProcessInfo {
    unsigned pid;
    unsigned long long used;
    unsigned gpuInstanceId, computeInstanceId;
};

// Of tests that want another answer.
unsigned long long fromVariable(const char* name, unsigned long long usual)
{
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

}  // namespace

extern "C" {

int nvmlInit_v2()
{
    return 0;
}
int nvmlShutdown()
{
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = 2;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice** device)
{
    *device = &gpus[index];
    return 0;
}
int nvmlDeviceGetUUID(NvmlDevice* device, char* text, unsigned length)
{
    std::strncpy(text, device->index == 0 ? "GPU-first" : "GPU-second", length);
    return 0;
}
int nvmlDeviceGetClockInfo(NvmlDevice* device, unsigned type, unsigned* value)
{
    if (device->index == 1 || type != 1)
        return kNotSupported;
    *value = ++clockNow;
    return 0;
}
int nvmlDeviceGetPowerUsage(NvmlDevice* device, unsigned* milliwatts)
{
    *milliwatts = 350500;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetTemperature(NvmlDevice* device, unsigned, unsigned* celsius)
{
    *celsius = 62;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetMemoryInfo(NvmlDevice* device, Memory* memory)
{
    const unsigned long long bytes = fromVariable("QS_FAKE_NVML_USED", 40);
    *memory = {bytes + 60, 60, bytes};
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice* device, unsigned long long* reasons)
{
    *reasons = fromVariable("QS_FAKE_NVML_REASONS", 0x4 | 0x40 | 0x1);
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetViolationStatus(NvmlDevice* device, unsigned policy, Violation* time)
{
    *time = {5'000'000, policy == 0 ? 2'500'000'000ULL : 0ULL};
    return device->index == 0 && policy <= 1 ? 0 : kNotSupported;
}
int nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice* device, unsigned* count,
                                            ProcessInfo* processes)
{
    if (device->index == 1) {
        *count = 0;
        return 0;
    }
    if (*count < 2) {
        *count = 2;
        return kInsufficientSize;
    }
    *count = 2;
    processes[0] = {41, 1ULL << 30U, 0, 0};
    processes[1] = {42, ~0ULL, 0, 0};
    return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned length)
{
    std::strncpy(text, "580.65.06", length);
    return 0;
}
int nvmlDeviceGetMaxClockInfo(NvmlDevice* device, unsigned type, unsigned* value)
{
    *value = 1980;
    return device->index == 0 && type == 1 ? 0 : kNotSupported;
}
int nvmlDeviceGetApplicationsClock(NvmlDevice* device, unsigned type, unsigned* value)
{
    *value = static_cast<unsigned>(fromVariable("QS_FAKE_NVML_CLOCK", 1410));
    return device->index == 0 && type == 1 ? 0 : kNotSupported;
}
int nvmlDeviceGetDefaultApplicationsClock(NvmlDevice* device, unsigned type, unsigned* value)
{
    *value = static_cast<unsigned>(fromVariable("QS_FAKE_NVML_DEFAULT_CLOCK", 1980));
    return device->index == 0 && type == 1 ? 0 : kNotSupported;
}
int nvmlDeviceGetEnforcedPowerLimit(NvmlDevice* device, unsigned* milliwatts)
{
    *milliwatts = 650000;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetPowerManagementDefaultLimit(NvmlDevice* device, unsigned* milliwatts)
{
    *milliwatts = 700000;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetEccMode(NvmlDevice* device, unsigned* current, unsigned* pending)
{
    *current = 1;
    *pending = 0;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetMigMode(NvmlDevice* device, unsigned* current, unsigned* pending)
{
    *current = 0;
    *pending = 1;
    return device->index == 0 ? 0 : kNotSupported;
}
int nvmlDeviceGetPersistenceMode(NvmlDevice* device, unsigned* mode)
{
    *mode = 1;
    return device->index == 0 ? 0 : kNotSupported;
}

}  // extern "C"
