#pragma once

#include "core/base/enum_names.h"
#include "core/base/file_place.h"
#include "core/base/result.h"
#include "core/model/sizes.h"
#include "core/model/workload.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

inline constexpr int kReferenceSchemaVersion = 1;

// Note [Reference results]
// What another program measured of the same network: put beside a run under that program's name,
// never judged against it, because it was not measured in the run's rounds. One JSON document in
// the folder "peers" of the run; core/run/peer/measure_peer.py writes such files, and anybody may:
//   schema_version    1
//   program, version  "torch.compile", "torch 2.11.0, torchao 0.18.0"
//   made_at, made_by  UTC, and the script
//   environment       texts by name: "device", "driver", "torch" …
//   model             as the run calls it; model_content: its hash, may be empty
//   layers            layer filter of the quantized rows; sizes: {"image_size": 256}
//   unit              what a pass makes: "image", "token", "sample"
//   rows              list of
//     precision, mode, batch, units_per_pass
//     status          "ok", "failed", "unavailable" (something it needs is not there), and reason
//     rounds          list of lists: seconds per pass of each sample; all rows took turns
//     passes_per_sample     that one sample is the mean of
//     first_call_seconds    with compiling; or null
//     quantized_layers
//     output_distance       relative L2 to that program's own bf16 eager; or null
//     counters              of Dynamo: frames, frames_compiled, unique_graphs, calls_captured,
//                           graph_breaks: list of {reason, count}; or null
//     counters_missing      why there are none

enum class ReferenceStatus { Ok, Failed, Unavailable };
inline constexpr auto kReferenceStatuses =
    enumNames<ReferenceStatus>({{ReferenceStatus::Ok, "ok"},
                                {ReferenceStatus::Failed, "failed"},
                                {ReferenceStatus::Unavailable, "unavailable"}});

struct GraphBreak {
    std::string reason;
    std::int64_t count = 0;
    bool operator==(const GraphBreak&) const = default;
};

// What Dynamo counted while it compiled one row.
struct DynamoCounters {
    std::int64_t frames = 0;
    std::int64_t framesCompiled = 0;
    std::int64_t uniqueGraphs = 0;
    std::int64_t callsCaptured = 0;
    std::vector<GraphBreak> graphBreaks = {};
    bool operator==(const DynamoCounters&) const = default;

    [[nodiscard]] std::int64_t breaks() const;
};

struct ReferenceRow {
    std::string precision;
    std::string mode;
    std::int64_t batch = 1;
    std::int64_t unitsPerPass = 1;
    ReferenceStatus status = ReferenceStatus::Ok;
    std::string reason = {};  // unless it is ok
    std::int64_t passesPerSample = 1;
    std::vector<std::vector<double>> rounds = {};  // seconds per pass
    std::optional<double> firstCallSeconds = {};
    std::int64_t quantizedLayers = 0;
    std::optional<double> outputDistance = {};
    std::optional<DynamoCounters> counters = {};
    std::string countersMissing = {};
    bool operator==(const ReferenceRow&) const = default;
};

struct ReferenceResults {
    std::string program;
    std::string version;
    std::string madeAt;
    std::string madeBy;
    std::map<std::string, std::string> environment;
    std::string model;
    std::string modelContent;
    std::string layers;
    Sizes sizes;
    WorkUnit unit = WorkUnit::Sample;
    std::vector<ReferenceRow> rows;
    bool operator==(const ReferenceResults&) const = default;
};

// Errors name the file, the place in it and what is expected there.
[[nodiscard]] Result<ReferenceResults> readReferenceResults(const FilePlace& file);

// One file of a run folder.
struct RunReference {
    std::string file;                         // "peers/torch.json"
    std::optional<ReferenceResults> results;  // nothing: it cannot be read
    std::string error = {};                   // why
};
// All of them, by name; none where the run has no folder. Never fails: a run is none the worse.
[[nodiscard]] std::vector<RunReference> referencesOf(const std::filesystem::path& runFolder);

// Copies a file that can be read into the run, beside those that it has; returns its place there.
// The run need not be complete, and nothing of its own is touched.
[[nodiscard]] Result<std::string> attachReference(const std::filesystem::path& runFolder,
                                                  const std::filesystem::path& file);

}  // namespace qs::core
