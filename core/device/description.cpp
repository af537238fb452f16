#include "core/device/description.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <sstream>
#include <thread>

namespace qs::core {

namespace {

constexpr std::uint64_t kProcFileLimit = std::uint64_t{4} << 20U;

// The text after "key:" in the first line that begins with it, or nothing.
std::string firstField(const std::string& text, const std::string& key)
{
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        const auto colon = line.find(':');
        if (line.starts_with(key) && colon != std::string::npos)
            return line.substr(std::min(line.size(), line.find_first_not_of(" \t", colon + 1)));
    }
    return {};
}

DeviceDescription gpu(const char* name, int major, int minor, double gibibytes, int processors)
{
    DeviceDescription device;
    device.id = "cuda:0";
    device.name = name;
    device.kind = DeviceKind::Cuda;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.memoryBytes = static_cast<std::int64_t>(gibibytes * 1073741824.0);
    device.processors = processors;
    return device;
}

}  // namespace

Json toJson(const DeviceDescription& device)
{
    Json json{{"id", device.id},
              {"name", device.name},
              {"kind", device.kind == DeviceKind::Cuda ? "cuda" : "cpu"},
              {"compute_major", device.computeMajor},
              {"compute_minor", device.computeMinor},
              {"memory_bytes", device.memoryBytes},
              {"processors", device.processors},
              {"uuid", device.uuid},
              {"driver", device.driver}};
    if (!device.compilerLacks.empty())
        json["compiler_lacks"] = device.compilerLacks;
    if (!device.kernelsLack.empty())
        json["kernels_lack"] = device.kernelsLack;
    if (device.exactInt8Products)
        json["exact_int8_products"] = *device.exactInt8Products;
    if (device.exactInt8Convolutions)
        json["exact_int8_convolutions"] = *device.exactInt8Convolutions;
    return json;
}

Result<DeviceDescription> deviceFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$device", issues);
    DeviceDescription device;
    device.id = fields.text("id");
    if (device.id.empty())
        fields.complain("id", "must name a device, e.g. cpu or cuda:0");
    device.name = fields.text("name");
    const std::string kind = fields.text("kind");
    device.kind = kind == "cuda" ? DeviceKind::Cuda : DeviceKind::Cpu;
    if (kind != "cuda" && kind != "cpu")
        fields.complain("kind", "expected cpu or cuda");
    device.computeMajor = static_cast<int>(fields.integer("compute_major", 0, 0, 99));
    device.computeMinor = static_cast<int>(fields.integer("compute_minor", 0, 0, 99));
    device.memoryBytes = fields.integer("memory_bytes", 0, 0, std::int64_t{1} << 50U);
    device.processors = static_cast<int>(fields.integer("processors", 0, 0, 1'000'000));
    device.uuid = fields.text("uuid");
    device.driver = fields.text("driver");
    device.compilerLacks = fields.text("compiler_lacks");
    device.kernelsLack = fields.text("kernels_lack");
    if (json.contains("exact_int8_products"))
        device.exactInt8Products = fields.flag("exact_int8_products", false);
    if (json.contains("exact_int8_convolutions"))
        device.exactInt8Convolutions = fields.flag("exact_int8_convolutions", false);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return device;
}

DeviceDescription describeCpu()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "CPU";
    device.processors = static_cast<int>(std::thread::hardware_concurrency());
    if (const auto info = readTextFile("/proc/cpuinfo", kProcFileLimit); info.ok()) {
        const std::string model = firstField(info.value(), "model name");
        if (!model.empty())
            device.name = model;
    }
    if (const auto info = readTextFile("/proc/meminfo", kProcFileLimit); info.ok()) {
        std::istringstream field(firstField(info.value(), "MemTotal"));
        std::int64_t kibibytes = 0;
        if (field >> kibibytes)
            device.memoryBytes = kibibytes * 1024;
    }
    return device;
}

// Compute capabilities from developer.nvidia.com/cuda-gpus, multiprocessors from NVIDIA's data
// sheets and architecture white papers. Memory is somewhat below the figure on the data sheet,
// because ECC and the driver take their share: a plan must not promise what does not fit.
const std::vector<DeviceDescription>& commonGpus()
{
    static const std::vector<DeviceDescription> devices{
        gpu("NVIDIA H200", 9, 0, 140.0, 132),     gpu("NVIDIA H100 SXM", 9, 0, 79.6, 132),
        gpu("NVIDIA B200", 10, 0, 178.0, 148),    gpu("NVIDIA A100 80GB", 8, 0, 79.2, 108),
        gpu("NVIDIA L40S", 8, 9, 44.5, 142),      gpu("NVIDIA L4", 8, 9, 22.0, 58),
        gpu("NVIDIA RTX 5090", 12, 0, 31.3, 170), gpu("NVIDIA RTX 4090", 8, 9, 23.6, 128),
        gpu("NVIDIA RTX 3090", 8, 6, 23.6, 82),   gpu("NVIDIA V100", 7, 0, 31.7, 80),
    };
    return devices;
}

}  // namespace qs::core
