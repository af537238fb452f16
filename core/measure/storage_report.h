#pragma once

#include "core/base/enum_names.h"
#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// What is wrong with the storage of a weight.
enum class StorageFault {
    WrongSize,
    Missing,   // `other`: the part that is not there
    LeftOver,  // no weight of the model has this name
    Shared,    // `other`: the weight before it in the same storage
    View,      // `ownBytes` of a larger storage
    Expanded,  // `ownBytes` of elements in a smaller storage
};
inline constexpr auto kStorageFaults = enumNames<StorageFault>({
    {StorageFault::WrongSize, "wrong_size"},
    {StorageFault::Missing, "missing"},
    {StorageFault::LeftOver, "left_over"},
    {StorageFault::Shared, "shared"},
    {StorageFault::View, "view"},
    {StorageFault::Expanded, "expanded"},
});

// A weight that does not take the bytes that its scheme gives it.
struct StorageOffender {
    std::string weight;  // "decoder/decoder_blocks.3.ffn.fc1.weight"
    std::int64_t logicalBytes = 0;
    std::int64_t storageBytes = 0;
    StorageFault fault = StorageFault::WrongSize;
    std::string other = {};
    std::int64_t ownBytes = 0;

    bool operator==(const StorageOffender&) const = default;
};

// One tensor of a weight.
struct LargeTensor {
    std::string name;  // "decode/model.layers.0.mlp.up_proj.weight:codes"
    std::int64_t logicalBytes = 0;
    std::int64_t storageBytes = 0;

    bool operator==(const LargeTensor&) const = default;
};

// Whether weights take the memory that their schemes promise: what they should take against what
// the storages of their tensors hold.
struct StorageReport {
    // More would only say the same again.
    static constexpr std::size_t kMostOffenders = 20;
    static constexpr std::size_t kMostTensors = 4096;
    static constexpr std::int64_t kLargeBytes = 1'048'576;

    std::int64_t weights = 0;       // that were looked at; 0: there is no report
    std::int64_t logicalBytes = 0;  // elements times bits of their scheme, with scales
    std::int64_t storageBytes = 0;  // of all storages; a shared one counts once
    std::int64_t fileBytes = 0;     // of the files that they came from; 0 if they were generated
    std::int64_t offenderCount = 0;
    std::vector<StorageOffender> offenders = {};  // the first of them
    // Those above kLargeBytes and views, the first of them; of rows whose workload is quantizing.
    std::vector<LargeTensor> tensors = {};

    bool operator==(const StorageReport&) const = default;
    [[nodiscard]] bool empty() const { return weights == 0; }
    void add(const StorageOffender& offender);
};

[[nodiscard]] Json toJson(const StorageReport& report);
[[nodiscard]] Result<StorageReport> storageReportFromJson(const JsonView& json);

}  // namespace qs::core
