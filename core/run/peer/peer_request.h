#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/lower/program.h"
#include "core/model/model.h"
#include "core/sweep/plan.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace qs::core {

// What is to be measured in Python of the model of a run.
struct PeerWishes {
    // As here: "bf16", "int8dq" … ("none" is bf16); those that torchao has not give rows that say
    // so.
    std::vector<std::string> precisions{"bf16"};
    std::vector<std::string> modes{"eager", "default"};  // as torch.compile calls them
    std::vector<std::int64_t> batches = {};              // empty: those of the run
    std::string device = {};                             // empty: that of the run
    int rounds = 3;
    int samples = 20;             // of a row in a round
    double prepareSeconds = 0.0;  // rows that are not compiled by then are left out; 0: no limit
    bool freshCaches = true;      // each row compiles as if nothing had been compiled before
};

[[nodiscard]] const std::vector<std::string>& peerModes();

// The model of the run at one batch.
struct PeerBatch {
    CellConfig config;  // bf16 eager
    Program program;
    HostTensors inputs;  // as many samples as there are, at most a batch
};

// For whoever does not choose: the precisions of the run that torchao has, bf16 always, eager and
// compiled; on a GPU with its graphs recorded as well.
[[nodiscard]] PeerWishes usualWishes(const Plan& plan);

// All that the Python script needs, but for the archives of the stages.
struct PeerRequest {
    PeerWishes wishes;
    Model model;
    ModelFeeding feeding;
    std::vector<PeerBatch> batches;
    // By precision and stage: the weights that are quantized. Those that this program quantizes.
    std::map<std::string, std::map<std::string, std::vector<std::string>>> layers;
};

// The bf16 eager cell of the run says what model, sizes and layers are meant. Reads the run's
// inputs; runs nothing. Unsupported, with the reason, for what Python could not run as we do:
// models with states, compiled programs.
[[nodiscard]] Result<PeerRequest> peerRequest(const std::filesystem::path& runFolder,
                                              const PeerWishes& wishes,
                                              const std::filesystem::path& resourceFolder);

// Where things lie in the folder of a request.
[[nodiscard]] std::string peerBatchFolder(const PeerBatch& batch);

// request.json, the inputs and the script, into an existing folder.
[[nodiscard]] Status writePeerRequest(const PeerRequest& request,
                                      const std::filesystem::path& folder);

}  // namespace qs::core
