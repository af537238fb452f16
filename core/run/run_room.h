#pragma once

#include "core/device/host_memory.h"
#include "core/record/output_places.h"
#include "core/record/run_data.h"
#include "core/run/run_options.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace qs::core {

// What this computer has for a run that lies or will lie there.
[[nodiscard]] HostRoom hostRoom(const RunOptions& options, const std::filesystem::path& place);

// Whether what a run still has to write and to hold fits where it is. For the session's thread.
class RunRoom final
{
public:
    // All of them must outlive the object.
    RunRoom(const RunOptions& options, const RunData& data, const OutputPlaces& outputs,
            std::string environmentId);

    void planGrew();
    // Unsupported if this plan, that of the run or one it may get, does not fit.
    [[nodiscard]] Status check(const Plan& plan, int rowsDone) const;
    [[nodiscard]] bool diskIsFull(int rowsDone) const;
    // Free space that the rest of the run needs.
    [[nodiscard]] std::uintmax_t neededBytes(int rowsDone) const;

private:
    // Of the images and rows that are still to come.
    [[nodiscard]] std::int64_t bytesToWrite(const Plan& plan, int rowsDone) const;

    const RunOptions& m_options;
    const RunData& m_data;
    const OutputPlaces& m_outputs;
    std::string m_environmentId;
    std::int64_t m_mostBytes = 0;  // had nothing been written yet
};

}  // namespace qs::core
