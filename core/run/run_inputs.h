#pragma once

#include "core/run/run_options.h"
#include "core/run/run_recorder.h"
#include "core/run/run_requests.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace qs::core {

// Brings into the folder of a run what its cells read: copies of files, images of each size,
// calibration sets. For the session's thread.
class RunInputs final
{
public:
    using Progressed = std::function<void(int done, int expected)>;

    // All of them must outlive the object; `data` holds what the recorder's folder holds.
    RunInputs(const RunOptions& options, RunRecorder& recorder, RunData& data,
              const RunRequests& requests, Progressed progressed);

    // All that the plan of the run reads. Less of it when stopped: then nothing else will run.
    [[nodiscard]] Status prepare();
    // Of all sizes that this plan has and the run has not.
    [[nodiscard]] Status prepareImages(const Plan& plan);

private:
    [[nodiscard]] Status prepareInputsOf(std::int64_t imageSize);
    [[nodiscard]] Status prepareCalibration();
    [[nodiscard]] Status keepOf(const std::string& place, const std::string& name);
    [[nodiscard]] Status warnOfLeftOut(const std::vector<std::string>& skipped);

    const RunOptions& m_options;
    RunRecorder& m_recorder;
    RunData& m_data;
    const RunRequests& m_requests;
    Progressed m_progressed;
    std::filesystem::path m_folder;
    std::set<std::int64_t> m_sizes;   // of images that are prepared
    std::set<std::string> m_leftOut;  // files that could not be used
};

}  // namespace qs::core
