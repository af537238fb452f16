#pragma once

#include "core/report/profiles/profile_cells.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// The models that the ResNet-18 timing script compares, at one batch size; null: the run has none.
struct ResnetModes {
    std::int64_t batch = 1;
    const CellSummary* original = nullptr;  // fp32 eager on a GPU; on the processor without any GPU
    const CellSummary* quantized = nullptr;     // int8dq on the processor
    const CellSummary* half = nullptr;          // fp16 eager on a GPU
    const CellSummary* compiled = nullptr;      // fp32 compiled by Inductor on a GPU
    const CellSummary* halfCompiled = nullptr;  // fp16 compiled on a GPU
};

// Outputs of a cell against those of another.
struct OutputDifference {
    int outputs = 0;
    std::optional<double> mean;       // |difference| of all values
    std::optional<double> agreement;  // share of outputs with the same first class
    std::string reason = {};          // why there are none
};

// What the whole export speaks of.
struct ResnetRun {
    const RunData& data;
    const Analysis& analysis;
    HostTimes passes;
    HostTimes firstPasses;
    HostTimes loads;     // weights come to the device in the working type
    HostTimes quantize;  // and are quantized there
    bool hasGpu = false;
    std::vector<ResnetModes> batches;  // ascending

    // Mean of a pass; nothing without a cell or its samples.
    [[nodiscard]] std::optional<double> seconds(const CellSummary* cell) const;
    [[nodiscard]] std::optional<double> firstSeconds(const CellSummary* cell) const;
    [[nodiscard]] std::optional<double> conversionSeconds(const CellSummary* cell) const;
    // Time of `slow` over that of `fast`.
    [[nodiscard]] std::optional<double> ratio(const CellSummary* slow,
                                              const CellSummary* fast) const;
    [[nodiscard]] OutputDifference difference(const CellSummary* cell,
                                              const CellSummary* reference) const;
    [[nodiscard]] std::optional<bool> tensorCores(const CellSummary* cell) const;
};

[[nodiscard]] Result<ResnetRun> resnetRun(const RunData& data, const Analysis& analysis);

// Resident, in MiB; nothing unless it was measured.
[[nodiscard]] std::optional<double> weightMebibytes(const CellSummary* cell);

}  // namespace qs::core
