#include "core/sweep/gate_metrics.h"

#include "core/base/checks.h"

#include <algorithm>

namespace qs::core {

const std::vector<GateMetricInfo>& gateMetrics()
{
    using enum GateMetric;
    using enum GateUnit;
    static const std::vector<GateMetricInfo> kMetrics{
        {Throughput, "throughput", "throughput_pictures_per_second", PerSecond, false,
         "pictures per second"},
        {Latency, "latency", "seconds_per_pass", Seconds, false,
         "median time of one pass over the repeats"},
        {Variation, "cv", "variation_within_rounds_fraction", Fraction, false,
         "standard deviation over mean of the passes of a repeat"},
        {Speedup, "speedup", "speedup_ratio", None, false,
         "time of the speed baseline over that of the cell; needs three repeats"},
        {AllocatedPeak, "allocated_peak", "allocated_peak_bytes", Bytes, false,
         "most memory in use by tensors on the device"},
        {ReservedPeak, "reserved_peak", "reserved_peak_bytes", Bytes, false,
         "most memory taken from the device"},
        {ProcessPeak, "process_peak", "process_peak_bytes", Bytes, false,
         "most memory of the process"},
        {SsimMean, "ssim_mean", "ssim_mean", None, true,
         "SSIM against the quality reference, mean over pictures"},
        {SsimWorst, "ssim_worst", "ssim_worst", None, true, "the same of the worst picture"},
        {PsnrMean, "psnr_mean", "psnr_mean_db", Decibel, true,
         "PSNR against the quality reference, mean over pictures that differ"},
        {PsnrWorst, "psnr_worst", "", Decibel, true, "the same of the worst picture"},
        {MsSsimMean, "ms_ssim_mean", "ms_ssim_mean", None, true,
         "MS-SSIM against the quality reference, mean over pictures"},
        {FlipMean, "flip_mean", "flip_mean", None, true,
         "FLIP against the quality reference, mean over pictures; 0 is no visible difference"},
        {FlipWorst, "flip_worst", "flip_worst", None, true, "the same of the worst picture"},
        {NoiseMultiple, "noise_multiple", "noise_floor_multiple", None, true,
         "distance from the reference over the noise floor"},
        {WorstNoiseMultiple, "worst_noise_multiple", "", None, true,
         "the same of the worst picture"},
        {MaximumDifference, "maximum_difference", "", None, false,
         "largest difference from the reference of any value, of a range from 0 to 1"},
        {ReconstructionSsim, "reconstruction_ssim", "reconstruction_ssim_mean", None, true,
         "SSIM of outputs against the inputs"},
        {ReconstructionPsnr, "reconstruction_psnr", "reconstruction_psnr_mean_db", Decibel, true,
         "PSNR of outputs against the inputs"},
    };
    return kMetrics;
}

const GateMetricInfo& gateMetricInfo(GateMetric metric)
{
    const auto& metrics = gateMetrics();
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const auto& info) { return info.metric == metric; });
    QS_ASSERT(found != metrics.end());
    return *found;
}

}  // namespace qs::core
