#include "core/report/profiles/gptq_environment.h"

#include "core/report/environment_text.h"

#include <algorithm>
#include <string>

namespace qs::core {

namespace {

constexpr double kBytesOfGigabyte = 1e9;
constexpr const char* kNotTraced =
    "nothing of this program is compiled by Dynamo: the inner loop runs operation by operation";
constexpr const char* kAheadOfTime =
    "one program, compiled ahead of time for any number of rows; what is null are settings of "
    "Dynamo, which does not run";
constexpr const char* kPythonOfInductor = "of Inductor, which compiles in a process of its own";
constexpr const char* kPythonUnknown = "the run does not record the Python that Inductor ran in";
constexpr const char* kNoPython = "no Python runs while this program quantizes";
constexpr const char* kNoGpu = "measured on a processor";
constexpr const char* kNoDriver = "NVML, which tells the version of the driver, did not answer";
constexpr const char* kNoCompiler = "nothing was compiled";
constexpr const char* kNotRecorded = "the run does not record where it was measured";

void withoutGpu(ProfileRecord& record, const std::string& reason)
{
    for (const char* field :
         {"nvidia_driver", "gpu_count", "gpu_name", "gpu_vram_gb", "gpu_compute_capability"})
        record.missing(field, reason);
}

void addGpu(ProfileRecord& record, const Environment& environment, const DeviceDescription* device)
{
    const auto isGpu = [](const DeviceDescription& each) { return each.kind == DeviceKind::Cuda; };
    const auto gpus = std::count_if(environment.devices.begin(), environment.devices.end(), isGpu);
    if (device == nullptr || !isGpu(*device)) {
        record.missing("nvidia_driver", kNoGpu);
        record.set("gpu_count", gpus);
        for (const char* field : {"gpu_name", "gpu_vram_gb", "gpu_compute_capability"})
            record.missing(field, kNoGpu);
        return;
    }
    if (const std::string driver = driverVersion(environment, *device); !driver.empty())
        record.set("nvidia_driver", driver);
    else
        record.missing("nvidia_driver", kNoDriver);
    record.set("gpu_count", gpus);
    record.set("gpu_name", device->name);
    record.number("gpu_vram_gb", static_cast<double>(device->memoryBytes) / kBytesOfGigabyte,
                  "1e9 bytes");
    record.set("gpu_compute_capability",
               std::to_string(device->computeMajor) + "." + std::to_string(device->computeMinor));
}

void addCompilerSettings(ProfileRecord& record, const GptqScenario& scenario, bool compiled)
{
    if (!compiled) {
        const GptqCell* wanted = scenario.find(GptqWay::Compiled);
        const bool isOpen = wanted != nullptr && !wanted->summary->measured;
        record.missing("compile_settings", isOpen ? whyNoFigures(*wanted->summary) : kNoCompiler);
        record.missing("dynamo_config", kNotTraced);
        return;
    }
    record.set("compile_settings",
               {{"backend", "inductor"},
                {"dynamic", true},
                {"cache_size_limit", nullptr},
                {"suppress_errors", nullptr}},
               kAheadOfTime);
    record.missing("dynamo_config", "Dynamo does not run: the program is exported");
}

}  // namespace

ProfileRecord gptqEnvironment(const GptqScenario& scenario, const RunData& data)
{
    const CellSummary& summary = scenario.witness();
    const Environment* found = data.environment(summary.environmentId);
    const Environment environment = found == nullptr ? Environment() : *found;
    const std::string unknown =
        summary.environmentId.empty() ? whyNoFigures(summary) : std::string(kNotRecorded);
    const DeviceDescription* device = measuredDevice(data, summary);
    ProfileRecord record(scenario.name);
    const auto text = [&](const char* field, const std::string& value, const char* why) {
        if (value.empty())
            record.missing(field, found == nullptr ? unknown : why);
        else
            record.set(field, value);
    };
    const bool compiled =
        std::any_of(scenario.cells.begin(), scenario.cells.end(),
                    [](const GptqCell& cell) { return cell.compile().has_value(); });
    const auto python = environment.compiler.find("python");
    if (compiled && python != environment.compiler.end())
        record.set("python_version", python->second, kPythonOfInductor);
    else
        record.missing("python_version", compiled ? kPythonUnknown : kNoPython);
    text("torch_version", environment.torch, kNotRecorded);
    text("torch_cuda_version", environment.cuda, "PyTorch without CUDA");
    if (found == nullptr)
        record.missing("cuda_available", unknown);
    else
        record.set("cuda_available", device != nullptr && device->kind == DeviceKind::Cuda);
    text("git_sha", environment.commit, "the program was not built from a repository");
    record.missing("git_branch", "the program knows its commit alone");
    if (found == nullptr)
        withoutGpu(record, unknown);
    else
        addGpu(record, environment, device);
    addCompilerSettings(record, scenario, compiled);
    return record;
}

}  // namespace qs::core
