#include "core/record/environment.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json_text_map.h"
#include "core/base/sha256.h"
#include "core/device/nvml.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

namespace qs::core {

namespace {

constexpr std::uint64_t kReleaseFileLimit = std::uint64_t{64} << 10U;
constexpr int kMostThreads = 1'000'000;

// The name of the distribution as it calls itself; empty if it does not say.
std::string distributionName()
{
    for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
        const auto text = readTextFile(path, kReleaseFileLimit);
        if (!text.ok())
            continue;
        std::istringstream lines(text.value());
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("PRETTY_NAME="))
                continue;
            std::string value = line.substr(line.find('=') + 1);
            if (value.size() >= 2 && value.front() == value.back() &&
                (value.front() == '"' || value.front() == '\''))
                value = value.substr(1, value.size() - 2);
            return value;
        }
    }
    return {};
}

std::string systemName()
{
    std::string text = distributionName();
    utsname kernel{};
    if (::uname(&kernel) == 0)
        text += (text.empty() ? "" : ", ") + std::string(kernel.sysname) + " " + kernel.release;
    return text;
}

std::string hostName()
{
    std::array<char, 256> buffer{};
    // One byte less: a name that is cut off need not be terminated.
    if (::gethostname(buffer.data(), buffer.size() - 1) != 0)
        return {};
    return buffer.data();
}

// The beginning of it, if it is long: a value can be anything.
std::string boundedText(const std::string& text)
{
    constexpr std::size_t kLongest = 256;
    return cleanText(text.substr(0, kLongest));
}

std::map<std::string, std::string> setVariables()
{
    std::map<std::string, std::string> variables;
    for (const std::string& name : recordedVariables()) {
        if (const char* value = std::getenv(name.c_str()); value != nullptr)
            variables[name] = boundedText(value);
    }
    return variables;
}

// Members that are empty are left out; see Environment.
void addFactsTo(Json& json, const Environment& environment)
{
    if (!environment.commit.empty())
        json["commit"] = environment.commit;
    if (!environment.cudnn.empty())
        json["cudnn"] = environment.cudnn;
    if (environment.engineThreads > 0)
        json["engine_threads"] = environment.engineThreads;
    if (!environment.numerics.empty())
        json["numerics"] = environment.numerics;
    if (!environment.compiler.empty())
        json["compiler"] = environment.compiler;
    if (!environment.variables.empty())
        json["variables"] = environment.variables;
    if (!environment.cpuSettings.empty())
        json["cpu_settings"] = toJson(environment.cpuSettings);
    for (const GpuSettings& settings : environment.gpuSettings)
        json["gpu_settings"].push_back(toJson(settings));
}

Status readFacts(JsonFields& fields, Environment& environment)
{
    environment.commit = fields.text("commit");
    environment.cudnn = fields.text("cudnn");
    environment.engineThreads =
        static_cast<int>(fields.integer("engine_threads", 0, 0, kMostThreads));
    environment.numerics = textMap(fields, "numerics");
    environment.compiler = textMap(fields, "compiler");
    environment.variables = textMap(fields, "variables");
    if (const Json* settings = fields.find("cpu_settings"); settings != nullptr) {
        QS_TRY(environment.cpuSettings, cpuSettingsFromJson(*settings));
    }
    const Json* list = fields.find("gpu_settings");
    if (list != nullptr && !list->is_array()) {
        fields.complain("gpu_settings", "expected a list");
    } else if (list != nullptr) {
        for (const Json& each : *list) {
            QS_TRY(GpuSettings settings, gpuSettingsFromJson(each));
            environment.gpuSettings.push_back(std::move(settings));
        }
    }
    return {};
}

}  // namespace

std::string Environment::id() const
{
    return sha256Hex(canonicalText(toJson(*this)));
}

Json toJson(const Environment& environment)
{
    Json devices = Json::array();
    for (const DeviceDescription& device : environment.devices)
        devices.push_back(toJson(device));
    Json json{{"program", environment.program}, {"torch", environment.torch},
              {"cuda", environment.cuda},       {"system", environment.system},
              {"host", environment.host},       {"processor", environment.processor},
              {"threads", environment.threads}, {"devices", std::move(devices)}};
    addFactsTo(json, environment);
    return json;
}

Result<Environment> environmentFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$environment", issues);
    Environment environment;
    for (const auto& [name, member] :
         {std::pair{"program", &Environment::program}, std::pair{"torch", &Environment::torch},
          std::pair{"cuda", &Environment::cuda}, std::pair{"system", &Environment::system},
          std::pair{"host", &Environment::host}, std::pair{"processor", &Environment::processor}}) {
        static_cast<void>(fields.require(name));
        environment.*member = fields.text(name);
    }
    static_cast<void>(fields.require("threads"));
    environment.threads = static_cast<int>(fields.integer("threads", 0, 0, kMostThreads));
    const Json* devices = fields.require("devices");
    if (devices != nullptr && !devices->is_array())
        fields.complain("devices", "expected a list");
    if (const Status facts = readFacts(fields, environment); !facts.ok())
        return facts.error().within("$environment");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    for (const Json& each : *devices) {
        auto device = deviceFromJson(each);
        if (!device.ok())
            return device.error().within("$environment.devices");
        environment.devices.push_back(std::move(device).value());
    }
    return environment;
}

const std::vector<std::string>& recordedVariables()
{
    static const std::vector<std::string> names{"ATEN_CPU_CAPABILITY",
                                                "CUBLASLT_WORKSPACE_SIZE",
                                                "CUBLAS_WORKSPACE_CONFIG",
                                                "CUDA_DEVICE_MAX_CONNECTIONS",
                                                "CUDA_DEVICE_ORDER",
                                                "CUDA_MODULE_LOADING",
                                                "CUDA_VISIBLE_DEVICES",
                                                "CUDNN_CONV_WSCAP_DBG",
                                                "DNNL_MAX_CPU_ISA",
                                                "GOMP_CPU_AFFINITY",
                                                "KMP_AFFINITY",
                                                "KMP_BLOCKTIME",
                                                "MALLOC_CONF",
                                                "MKL_CBWR",
                                                "MKL_NUM_THREADS",
                                                "NVIDIA_TF32_OVERRIDE",
                                                "OMP_DYNAMIC",
                                                "OMP_NUM_THREADS",
                                                "OMP_PLACES",
                                                "OMP_PROC_BIND",
                                                "OMP_WAIT_POLICY",
                                                "ONEDNN_MAX_CPU_ISA"};
    return names;
}

Environment describeEnvironment(const EngineFacts& engine, std::vector<DeviceDescription> devices,
                                const std::string& nvmlLibrary)
{
    const DeviceDescription cpu = describeCpu();
    Environment environment;
    environment.program = "QuantScope " QS_VERSION;
    environment.torch = engine.torch;
    environment.cuda = engine.cuda;
    environment.system = systemName();
    environment.host = hostName();
    environment.processor = cpu.name;
    environment.threads = cpu.processors;
    environment.commit = engine.commit;
    environment.cudnn = engine.cudnn;
    environment.engineThreads = engine.threads;
    environment.numerics = engine.numerics;
    environment.compiler = engine.compiler;
    environment.variables = setVariables();
    environment.cpuSettings = readCpuState().settings;
    std::vector<std::string> gpus;
    for (const DeviceDescription& device : devices) {
        if (device.kind == DeviceKind::Cuda && !device.uuid.empty())
            gpus.push_back(device.uuid);
    }
    environment.gpuSettings = readGpuSettings(gpus, nvmlLibrary);
    environment.devices = std::move(devices);
    return environment;
}

}  // namespace qs::core
