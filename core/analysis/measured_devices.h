#pragma once

#include "core/record/run_data.h"

#include <string>
#include <unordered_map>

namespace qs::core {

// The devices that the rows of a run come from. Made once for many cells: the id of an environment
// is a hash of all of it.
class MeasuredDevices final
{
public:
    // `data` must outlive the object.
    explicit MeasuredDevices(const RunData& data)
    {
        for (const Environment& environment : data.environments)
            m_environments.emplace(environment.id(), &environment);
    }

    [[nodiscard]] const Environment* environment(const std::string& id) const
    {
        const auto found = m_environments.find(id);
        return found == m_environments.end() ? nullptr : found->second;
    }
    // Null if the environment or the device is not known.
    [[nodiscard]] const DeviceDescription* device(const std::string& environmentId,
                                                  const std::string& deviceId) const
    {
        if (const Environment* known = environment(environmentId)) {
            for (const DeviceDescription& each : known->devices) {
                if (each.id == deviceId)
                    return &each;
            }
        }
        return nullptr;
    }

private:
    std::unordered_map<std::string, const Environment*> m_environments;
};

}  // namespace qs::core
