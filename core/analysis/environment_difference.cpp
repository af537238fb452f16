#include "core/analysis/environment_difference.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace qs::core {

namespace {

using Fact = EnvironmentFact;
using Facts = std::map<std::pair<Fact, std::string>, EnvironmentValue>;

// What one environment reports; what is empty is not reported.
class Reading
{
public:
    explicit Reading(const Environment& environment)
    {
        readSoftware(environment);
        readMachine(environment);
        for (const DeviceDescription& device : environment.devices)
            readDevice(device);
        for (std::size_t i = 0; i < environment.gpuSettings.size(); ++i)
            readSettings(environment.gpuSettings[i], i);
    }

    Facts take() { return std::move(m_facts); }

private:
    void add(Fact fact, const std::string& subject, const std::string& text)
    {
        if (!text.empty())
            m_facts[{fact, subject}] = text;
    }
    void add(Fact fact, const std::string& subject, double number)
    {
        if (number > 0.0)
            m_facts[{fact, subject}] = number;
    }
    template <class Value>
    void add(Fact fact, const std::string& subject, const std::optional<Value>& value)
    {
        if (value)
            m_facts[{fact, subject}] = *value;
    }

    void readSoftware(const Environment& environment)
    {
        add(Fact::PyTorch, {}, environment.torch);
        add(Fact::Cuda, {}, environment.cuda);
        add(Fact::Cudnn, {}, environment.cudnn);
        for (const auto& [part, version] : environment.compiler)
            add(Fact::Compiler, part, version);
        for (const auto& [flag, value] : environment.numerics)
            add(Fact::PyTorchFlag, flag, value);
        for (const auto& [variable, value] : environment.variables)
            add(Fact::Variable, variable, value);
        add(Fact::Program, {}, environment.program);
        add(Fact::Commit, {}, environment.commit);
        add(Fact::System, {}, environment.system);
    }

    void readMachine(const Environment& environment)
    {
        add(Fact::Host, {}, environment.host);
        add(Fact::Processor, {}, environment.processor);
        add(Fact::Threads, {}, environment.threads);
        add(Fact::EngineThreads, {}, environment.engineThreads);
        const CpuSettings& settings = environment.cpuSettings;
        add(Fact::Governor, {}, settings.governor);
        add(Fact::Turbo, {}, settings.turbo);
        add(Fact::Smt, {}, settings.smt);
        add(Fact::CpuQuota, {}, settings.quotaCores);
    }

    void readDevice(const DeviceDescription& device)
    {
        if (!device.uuid.empty())
            m_devices[device.uuid] = device.id;
        add(Fact::DeviceName, device.id, device.name);
        add(Fact::SerialNumber, device.id, device.uuid);
        add(Fact::Driver, device.id, device.driver);
        add(Fact::DeviceKind, device.id,
            std::string(device.kind == DeviceKind::Cuda ? "cuda" : "cpu"));
        if (device.computeMajor > 0)
            add(Fact::ComputeCapability, device.id,
                std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor));
        add(Fact::DeviceMemory, device.id, static_cast<double>(device.memoryBytes));
        add(Fact::Processors, device.id, device.processors);
    }

    // Settings are matched by the id of the device with their serial number, which other machines
    // have, too; or else by their place.
    void readSettings(const GpuSettings& settings, std::size_t place)
    {
        const auto known = m_devices.find(settings.uuid);
        const std::string device =
            known != m_devices.end() ? known->second : "GPU " + std::to_string(place + 1);
        if (known == m_devices.end())
            add(Fact::SerialNumber, device, settings.uuid);
        add(Fact::Driver, device, settings.driver);
        add(Fact::Clocks, device, settings.clocks);
        add(Fact::MaxSmClock, device, settings.maxSmClockMegahertz);
        add(Fact::PowerLimit, device, settings.powerLimitWatts);
        add(Fact::DefaultPowerLimit, device, settings.defaultPowerLimitWatts);
        add(Fact::Ecc, device, settings.ecc);
        add(Fact::Mig, device, settings.mig);
        add(Fact::Persistence, device, settings.persistence);
    }

    std::map<std::string, std::string> m_devices;  // id by serial number
    Facts m_facts;
};

}  // namespace

EnvironmentEffect effectOf(EnvironmentFact fact)
{
    switch (fact) {
    case Fact::DeviceName:
    case Fact::DeviceKind:
    case Fact::ComputeCapability:
    case Fact::PyTorch:
    case Fact::Cuda:
    case Fact::Cudnn:
    case Fact::Compiler:
    case Fact::PyTorchFlag:
    case Fact::Variable:
    case Fact::Program:
    case Fact::Commit:
    case Fact::Processor:
    case Fact::EngineThreads:
        return EnvironmentEffect::ResultsAndSpeed;
    case Fact::SerialNumber:
    case Fact::Driver:
    case Fact::Processors:
    case Fact::Clocks:
    case Fact::MaxSmClock:
    case Fact::PowerLimit:
    case Fact::Ecc:
    case Fact::Mig:
    case Fact::Persistence:
    case Fact::System:
    case Fact::Host:
    case Fact::Threads:
    case Fact::Governor:
    case Fact::Turbo:
    case Fact::Smt:
    case Fact::CpuQuota:
        return EnvironmentEffect::Speed;
    case Fact::DeviceMemory:
    case Fact::DefaultPowerLimit:
        return EnvironmentEffect::Nothing;
    }
    return EnvironmentEffect::Nothing;
}

std::vector<EnvironmentField> compareEnvironments(const std::vector<Environment>& environments)
{
    std::vector<Facts> all;
    Facts any;
    for (const Environment& environment : environments) {
        all.push_back(Reading(environment).take());
        any.insert(all.back().begin(), all.back().end());
    }
    std::vector<EnvironmentField> fields;
    for (const auto& [key, ignored] : any) {
        EnvironmentField field{.fact = key.first, .subject = key.second};
        for (const Facts& facts : all) {
            const auto found = facts.find(key);
            field.values.push_back(found == facts.end() ? std::nullopt
                                                        : std::optional(found->second));
        }
        field.differs = std::any_of(field.values.begin(), field.values.end(),
                                    [&](const auto& value) { return value != field.values[0]; });
        fields.push_back(std::move(field));
    }
    const auto rank = [](const EnvironmentField& field) {
        return std::tuple(!field.differs, field.differs ? effectOf(field.fact)
                                                        : EnvironmentEffect::ResultsAndSpeed);
    };
    std::stable_sort(
        fields.begin(), fields.end(),
        [&](const EnvironmentField& a, const EnvironmentField& b) { return rank(a) < rank(b); });
    return fields;
}

}  // namespace qs::core
