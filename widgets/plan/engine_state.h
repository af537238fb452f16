#pragma once

#include "core/device/description.h"
#include "core/record/environment.h"

#include <QString>

#include <algorithm>
#include <vector>

namespace qs::widgets {

// What is known about the engine of this computer.
struct EngineState {
    enum class Kind { Looking, Ready, Missing };

    Kind kind = Kind::Looking;
    std::vector<core::DeviceDescription> devices;  // this processor until an engine has answered
    QString version;                               // "torch 2.11.0, CUDA 13.0"
    core::EngineFacts facts;                       // of one that is ready
    QString problem;  // why there is none, or why it sees no GPU; may be empty

    [[nodiscard]] bool hasGpu() const
    {
        return std::any_of(devices.begin(), devices.end(), [](const auto& device) {
            return device.kind == core::DeviceKind::Cuda;
        });
    }
};

}  // namespace qs::widgets
