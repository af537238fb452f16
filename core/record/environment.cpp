#include "core/record/environment.h"

#include "core/base/files.h"
#include "core/base/sha256.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
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
    return {{"program", environment.program}, {"torch", environment.torch},
            {"cuda", environment.cuda},       {"system", environment.system},
            {"host", environment.host},       {"processor", environment.processor},
            {"threads", environment.threads}, {"devices", std::move(devices)}};
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

Environment describeEnvironment(const std::string& torch, const std::string& cuda,
                                std::vector<DeviceDescription> devices)
{
    const DeviceDescription cpu = describeCpu();
    Environment environment;
    environment.program = "QuantScope " QS_VERSION;
    environment.torch = torch;
    environment.cuda = cuda;
    environment.system = systemName();
    environment.host = hostName();
    environment.processor = cpu.name;
    environment.threads = cpu.processors;
    environment.devices = std::move(devices);
    return environment;
}

}  // namespace qs::core
