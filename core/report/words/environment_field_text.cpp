#include "core/report/words/environment_field_text.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace qs::core {

namespace {

using Fact = EnvironmentFact;

struct FactWords {
    Fact fact;
    const char* name;
    const char* reason;
};

constexpr const char* kCapabilityReason = "Decides which number formats and kernels are available.";

constexpr std::array kWords{
    FactWords{Fact::DeviceName, "name",
              "Another device has another speed and may round "
              "differently."},
    FactWords{Fact::SerialNumber, "serial number",
              "Devices of the same kind differ by a few per cent in clock, power and cooling."},
    FactWords{Fact::Driver, "driver",
              "The driver sets clocks and schedules kernels: speed may "
              "change with its version."},
    FactWords{Fact::DeviceKind, "kind", "A CPU and a GPU use different kernels and clocks."},
    FactWords{Fact::ComputeCapability, "compute capability", kCapabilityReason},
    FactWords{Fact::DeviceMemory, "memory", "Decides which batches fit."},
    FactWords{Fact::Processors, "processors",
              "Multiprocessors of a GPU or threads of a CPU: the work that runs in parallel."},
    FactWords{Fact::Clocks, "clock policy",
              "Speed follows the clock: locked and free clocks are "
              "not comparable."},
    FactWords{Fact::MaxSmClock, "maximum SM clock", "Speed follows the clock."},
    FactWords{Fact::PowerLimit, "power limit",
              "A lower power limit gives lower clocks under "
              "load."},
    FactWords{Fact::DefaultPowerLimit, "default power limit",
              "The power limit in use is compared separately."},
    FactWords{Fact::Ecc, "ECC", "Error correction makes memory a little slower and smaller."},
    FactWords{Fact::Mig, "MIG", "A MIG instance has part of the speed and memory of the GPU."},
    FactWords{Fact::Persistence, "persistence mode",
              "Without it the driver starts again for every process."},
    FactWords{Fact::PyTorch, "PyTorch",
              "PyTorch brings kernels and compilers: speed and rounding "
              "change with its version."},
    FactWords{Fact::Cuda, "CUDA",
              "The CUDA libraries multiply matrices: speed and rounding change "
              "with their version."},
    FactWords{Fact::Cudnn, "cuDNN",
              "cuDNN computes convolutions and some attention: speed and "
              "rounding change with its version."},
    FactWords{Fact::Compiler, "compiler",
              "Inductor's cells are compiled with it: their kernels change with its version."},
    FactWords{Fact::PyTorchFlag, "PyTorch flag",
              "A global setting of PyTorch that changes results "
              "or speed, such as TF32."},
    FactWords{Fact::Variable, "variable", "An environment variable that changes speed or results."},
    FactWords{Fact::Program, "QuantScope",
              "Another version may quantize, compile or measure "
              "differently."},
    FactWords{Fact::Commit, "commit",
              "Another build may quantize, compile or measure "
              "differently."},
    FactWords{Fact::System, "system", "Kernel and libraries change launches and page handling."},
    FactWords{Fact::Host, "host name",
              "Another machine: cooling, other load and settings may "
              "differ."},
    FactWords{Fact::Processor, "processor",
              "Launches, inputs and all cells on the CPU depend on "
              "the processor."},
    FactWords{Fact::Threads, "threads", "The number of hardware threads."},
    FactWords{Fact::EngineThreads, "CPU threads per operation",
              "Operations on the CPU are divided among the threads, which also changes rounding."},
    FactWords{Fact::Governor, "governor", "Decides how fast the CPU clock follows the load."},
    FactWords{Fact::Turbo, "turbo",
              "With turbo the CPU clock depends on temperature and other "
              "load."},
    FactWords{Fact::Smt, "SMT", "Two threads on one core slow each other down."},
    FactWords{Fact::CpuQuota, "CPU quota", "A container with less CPU time is slower."},
};

const FactWords& wordsOf(Fact fact)
{
    return *std::find_if(kWords.begin(), kWords.end(),
                         [&](const FactWords& words) { return words.fact == fact; });
}

std::string exactText(const EnvironmentValue& value)
{
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "on" : "off";
    if (const double* number = std::get_if<double>(&value))
        return formatExact(*number);
    return std::get<std::string>(value);
}

std::string valueText(Fact fact, const EnvironmentValue& value)
{
    const double* number = std::get_if<double>(&value);
    if (number == nullptr)
        return exactText(value);
    if (fact == Fact::DeviceMemory)
        return formatBytes(*number);
    const std::string text = exactText(value);
    if (fact == Fact::MaxSmClock)
        return text + " MHz";
    if (fact == Fact::PowerLimit || fact == Fact::DefaultPowerLimit)
        return text + " W";
    return fact == Fact::CpuQuota ? text + " cores" : text;
}

}  // namespace

std::string fieldName(const EnvironmentField& field)
{
    const std::string name = wordsOf(field.fact).name;
    if (field.subject.empty())
        return name;
    const bool named = field.fact == Fact::PyTorchFlag || field.fact == Fact::Variable;
    return named ? name + " " + field.subject : field.subject + ", " + name;
}

std::string fieldReason(EnvironmentFact fact)
{
    return wordsOf(fact).reason;
}

std::string effectText(EnvironmentEffect effect)
{
    switch (effect) {
    case EnvironmentEffect::ResultsAndSpeed:
        return "speed and results";
    case EnvironmentEffect::Speed:
        return "speed";
    case EnvironmentEffect::Nothing:
        return {};
    }
    return {};
}

std::vector<std::string> fieldValues(const EnvironmentField& field)
{
    std::set<EnvironmentValue> values;
    std::set<std::string> rounded;
    for (const auto& value : field.values) {
        if (value) {
            values.insert(*value);
            rounded.insert(valueText(field.fact, *value));
        }
    }
    std::vector<std::string> texts;
    for (const auto& value : field.values) {
        if (!value)
            texts.emplace_back();
        else if (rounded.size() < values.size())
            texts.push_back(fmt::format("{:.0f} bytes", std::get<double>(*value)));
        else
            texts.push_back(valueText(field.fact, *value));
    }
    return texts;
}

}  // namespace qs::core
