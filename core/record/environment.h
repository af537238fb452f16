#pragma once

#include "core/base/json.h"
#include "core/device/description.h"

#include <string>
#include <vector>

namespace qs::core {

// Where rows were measured. Rows of different environments never share a ratio.
struct Environment {
    std::string program;   // "QuantScope 0.1.0"
    std::string torch;     // "2.11.0"
    std::string cuda;      // "13.0" or empty
    std::string system;    // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
    std::string host;
    std::string processor;
    int threads = 0;
    std::vector<DeviceDescription> devices;

    // SHA-256 of all of it.
    [[nodiscard]] std::string id() const;
};

[[nodiscard]] Json toJson(const Environment& environment);
[[nodiscard]] Result<Environment> environmentFromJson(const Json& json);

// This computer with the given engine and devices.
[[nodiscard]] Environment describeEnvironment(const std::string& torch, const std::string& cuda,
                                              std::vector<DeviceDescription> devices);

}  // namespace qs::core
