#pragma once

#include "core/run/cell_supervisor.h"
#include "core/run/peer/peer_request.h"

#include <filesystem>
#include <functional>
#include <string>

namespace qs::core {

// Note [Peer]
// The network of a run is measured in Python as well: eager, by torch.compile, and quantized by
// torchao, with the counters of Dynamo. A worker writes the stages as archives with their weights
// in bf16, and a Python process reads them: archives of ours, never a file of the user's. What it
// measures are reference results, see core/record/reference_results.h; nothing here judges them.

struct PeerPlaces {
    std::filesystem::path worker;
    std::filesystem::path resources;
    std::filesystem::path cache;  // of workers
};

// The whole folder of a request: what writePeerRequest() writes, and the archives that a worker
// writes. `folder` exists. The script can be run from there, also on another machine.
[[nodiscard]] Status preparePeer(const PeerRequest& request, const std::filesystem::path& folder,
                                 const PeerPlaces& places, SupervisorSwitch& control,
                                 const SupervisorHooks& hooks);

// Runs the script in the folder of a request; returns the file of results, which can be read.
// `told` hears each line that it says, `goesOn` is asked ten times a second. Errors quote the end
// of what it said.
[[nodiscard]] Result<std::filesystem::path>
runPeer(const std::filesystem::path& python, const std::filesystem::path& folder,
        const std::function<void(const std::string& line)>& told,
        const std::function<bool()>& goesOn);

}  // namespace qs::core
