#pragma once

#include <string_view>
#include <vector>

namespace qs::core {

// What can be expected of a cell. core/analysis/gates.h takes the values from the record.
enum class GateMetric {
    Throughput,
    Latency,
    Variation,
    Speedup,
    AllocatedPeak,
    ReservedPeak,
    ProcessPeak,
    SsimMean,
    SsimWorst,
    PsnrMean,
    PsnrWorst,
    MsSsimMean,
    FlipMean,
    FlipWorst,
    NoiseMultiple,
    WorstNoiseMultiple,
    MaximumDifference,
    ReconstructionSsim,
    ReconstructionPsnr,
};

enum class GateUnit { None, Fraction, Seconds, Bytes, Decibel, PerSecond };

struct GateMetricInfo {
    GateMetric metric;
    std::string_view name;    // in expectations: "ssim_mean"
    std::string_view column;  // of cells.csv, also accepted; empty if it has none
    GateUnit unit;
    bool quality;  // says something of trained models only
    std::string_view about;
};

[[nodiscard]] const std::vector<GateMetricInfo>& gateMetrics();
[[nodiscard]] const GateMetricInfo& gateMetricInfo(GateMetric metric);

}  // namespace qs::core
