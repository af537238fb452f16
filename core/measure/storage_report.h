#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// A weight that does not take the bytes that its scheme gives it.
struct StorageOffender {
    std::string weight;  // "decoder/decoder_blocks.3.ffn.fc1.weight"
    std::int64_t logicalBytes = 0;
    std::int64_t storageBytes = 0;
    std::string note;  // what is wrong, in words
};

// Whether weights take the memory that their schemes promise: what they should take against what
// the storages of their tensors hold.
struct StorageReport {
    // More would only say the same again.
    static constexpr std::size_t kMostOffenders = 20;

    std::int64_t weights = 0;       // that were looked at; 0: there is no report
    std::int64_t logicalBytes = 0;  // elements times bits of their scheme, with scales
    std::int64_t storageBytes = 0;  // of all storages; a shared one counts once
    std::int64_t fileBytes = 0;     // of the files that they came from; 0 if they were generated
    std::int64_t offenderCount = 0;
    std::vector<StorageOffender> offenders = {};  // the first of them

    [[nodiscard]] bool empty() const { return weights == 0; }
    void add(const StorageOffender& offender);
    // "3 weights do not take the bytes of their scheme: …"; empty if all do.
    [[nodiscard]] std::string objection() const;
};

[[nodiscard]] Json toJson(const StorageReport& report);
[[nodiscard]] Result<StorageReport> storageReportFromJson(const Json& json);

}  // namespace qs::core
