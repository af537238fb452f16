#include "core/sweep/metric.h"

#include <limits>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

std::vector<Metric> builtInMetrics()
{
    using enum MetricUnit;
    const auto image = std::vector{OutputKind::Image};
    return {
        {.name = "throughput",
         .column = "throughput_per_second",
         .title = "Throughput",
         .about = "Images, tokens or samples per second.",
         .unit = PerSecond,
         .overRounds = true,
         .plotted = true},
        {.name = "latency",
         .column = "seconds_per_pass",
         .title = "Latency of a pass",
         .about = "Time of one pass: geometric mean over the repeats of their medians.",
         .unit = Seconds,
         .better = Better::Lower,
         .overRounds = true,
         .plotted = true},
        {.name = "unit_time",
         .column = "seconds_per_unit",
         .title = "Time per unit",
         .about = "Time of a pass over the images, tokens or samples that it makes.",
         .unit = Seconds,
         .better = Better::Lower,
         .overRounds = true,
         .plotted = true},
        {.name = "cv",
         .column = "variation_within_rounds_fraction",
         .title = "Variation",
         .about = "Standard deviation over mean of the passes of a repeat.",
         .unit = Fraction,
         .better = Better::Lower,
         .overRounds = true},
        {.name = "speedup",
         .column = "speedup_ratio",
         .title = "Speed-up",
         .about = "Time of the speed baseline over that of the cell; needs three repeats.",
         .overRounds = true},
        {.name = "allocated_peak",
         .column = "allocated_peak_bytes",
         .title = "Memory, allocated peak",
         .about = "Most memory in use by tensors on the device.",
         .unit = Bytes,
         .better = Better::Lower,
         .plotted = true},
        {.name = "reserved_peak",
         .column = "reserved_peak_bytes",
         .title = "Memory, reserved peak",
         .about = "Most memory taken from the device.",
         .unit = Bytes,
         .better = Better::Lower},
        {.name = "process_peak",
         .column = "process_peak_bytes",
         .title = "Memory, peak of the process",
         .about = "Most memory of the process.",
         .unit = Bytes,
         .better = Better::Lower,
         .plotted = true},
        {.name = "compile_cold",
         .column = "cold_compile_seconds",
         .title = "Compile, cold",
         .about = "Time of the compiler for all stages, with nothing of earlier compiles there.",
         .unit = Seconds,
         .better = Better::Lower,
         .plotted = true,
         .rare = true},
        {.name = "compile_warm",
         .column = "warm_compile_seconds",
         .title = "Compile, warm",
         .about = "The same once more, with what the first compile has kept.",
         .unit = Seconds,
         .better = Better::Lower,
         .rare = true},
        {.name = "compile_start",
         .column = "load_first_call_seconds",
         .title = "Load + first call",
         .about = "From the packages, there already, to the end of the first pass.",
         .unit = Seconds,
         .better = Better::Lower,
         .rare = true},
        {.name = "break_even_cold",
         .column = "break_even_cold_passes",
         .title = "Break-even, cold",
         .about = "Passes after which a cold compile has saved its own time, against the speed "
                  "baseline; empty: never.",
         .better = Better::Lower,
         .overRounds = true,
         .plotted = true,
         .rare = true},
        {.name = "break_even_warm",
         .column = "break_even_warm_passes",
         .title = "Break-even, warm",
         .about = "The same of a warm compile.",
         .better = Better::Lower,
         .overRounds = true,
         .rare = true},
        {.name = "noise_multiple",
         .column = "noise_floor_multiple",
         .title = "× noise floor",
         .about = "Distance from the reference over the noise floor.",
         .better = Better::Lower,
         .comparesOutputs = true,
         .needsTraining = true},
        {.name = "worst_noise_multiple",
         .column = "noise_floor_worst_multiple",
         .title = "× noise floor, worst",
         .about = "The same of the output that differs most.",
         .better = Better::Lower,
         .comparesOutputs = true,
         .needsTraining = true},
        {.name = "reconstruction_ssim",
         .column = "reconstruction_ssim_mean",
         .title = "Reconstruction SSIM",
         .about = "SSIM of the outputs against the inputs, mean over images.",
         .digits = 5,
         .needsTraining = true,
         .outputs = image},
        {.name = "reconstruction_psnr",
         .column = "reconstruction_psnr_mean_db",
         .title = "Reconstruction PSNR",
         .about = "PSNR of the outputs against the inputs, mean over images.",
         .unit = Decibel,
         .needsTraining = true,
         .outputs = image},
    };
}

// Of the time of a pass, by its profile; see core/measure/pass_profile.h.
Metric shareOf(std::string kind, std::string title, std::string about)
{
    return {.name = "share_" + kind,
            .column = kind + "_share_of_pass",
            .title = std::move(title),
            .about = std::move(about),
            .unit = MetricUnit::Fraction,
            .better = Better::Lower,
            .digits = 3,
            .plotted = true,
            .rare = true};
}

std::vector<Metric> profileMetrics()
{
    return {shareOf("product", "Time in products",
                    "Share of a pass in matrix products and convolutions."),
            shareOf("attention", "Time in attention", "Share of a pass in attention kernels."),
            shareOf("quantize", "Time in quantizing",
                    "Share of a pass in the rest of quantized layers: codes, scales, bias."),
            shareOf("elementwise", "Time element-wise",
                    "Share of a pass in normalisation, activation functions and reductions."),
            shareOf("copy", "Time in copies", "Share of a pass in casts, copies and gathers."),
            shareOf("unknown", "Time in other kernels",
                    "Share of a pass in kernels of which only the name is known."),
            shareOf("gaps", "Gaps",
                    "Share of a pass without any kernel: on a GPU it waits for the host; on a CPU "
                    "it is dispatch and compiled code."),
            {.name = "launches",
             .column = "launches_per_pass",
             .title = "Launches",
             .about = "Kernels and copies of a pass on a GPU, operations on a CPU.",
             .better = Better::Lower,
             .digits = 5,
             .plotted = true,
             .rare = true}};
}

std::vector<OutputMetric> builtInOutputMetrics()
{
    using enum OutputKind;
    const std::vector<OutputKind> numbers{Image, Logits, Classes, Embedding, Tensor};
    return {
        {.name = "ssim",
         .title = "SSIM",
         .about = "Structural similarity to the image of the quality reference; 1 is equal.",
         .outputs = {Image},
         .better = Better::Higher,
         .identical = 1.0,
         .digits = 5,
         .needsTraining = true,
         .isDistanceOf = {Image},
         .inTables = true},
        {.name = "psnr",
         .title = "PSNR",
         .about = "Peak signal-to-noise ratio against the quality reference, over the images that "
                  "differ.",
         .outputs = {Image},
         .unit = MetricUnit::Decibel,
         .better = Better::Higher,
         .identical = std::numeric_limits<double>::infinity(),
         .digits = 4,
         .needsTraining = true,
         .inTables = true},
        {.name = "ms_ssim",
         .title = "MS-SSIM",
         .about = "SSIM over five scales; 1 is equal. Needs images of 176 pixels.",
         .outputs = {Image},
         .better = Better::Higher,
         .identical = 1.0,
         .digits = 5,
         .needsTraining = true,
         .inTables = true},
        {.name = "flip",
         .title = "FLIP",
         .about = "The difference that a person sees when both images alternate on a screen, at 67 "
                  "pixels per degree; 0 is none, 1 the largest.",
         .outputs = {Image},
         .needsTraining = true,
         .inTables = true},
        {.name = "kl_divergence",
         .title = "KL divergence",
         .about = "Kullback-Leibler divergence from the distribution of the quality reference, "
                  "mean over positions; 0 is equal.",
         .outputs = {Logits, Classes},
         .unit = MetricUnit::Nats,
         .isDistanceOf = {Logits},
         .inTables = true},
        {.name = "top1_agreement",
         .title = "Top-1 agreement",
         .about = "Share of positions where the most likely token or class is that of the quality "
                  "reference.",
         .outputs = {Logits, Classes},
         .better = Better::Higher,
         .identical = 1.0,
         .needsTraining = true,
         .isDistanceOf = {Classes},
         .inTables = true},
        {.name = "token_agreement",
         .title = "Equal tokens",
         .about = "Share of the tokens after the prompt that are those of the quality reference.",
         .outputs = {Tokens},
         .better = Better::Higher,
         .identical = 1.0,
         .needsTraining = true,
         .isDistanceOf = {Tokens},
         .inTables = true},
        {.name = "first_different",
         .title = "First different token",
         .about = "Place of the first token after the prompt that is not that of the quality "
                  "reference, from 1.",
         .outputs = {Tokens},
         .better = Better::Higher,
         .identical = std::numeric_limits<double>::infinity(),
         .needsTraining = true},
        {.name = "cosine",
         .title = "Cosine similarity",
         .about = "Cosine of the angle between the values of the output and of the quality "
                  "reference; 1 is the same direction. Also with untrained weights.",
         .outputs = numbers,
         .better = Better::Higher,
         .identical = 1.0,
         .digits = 8,
         .isDistanceOf = {Embedding}},
        {.name = "relative_l2",
         .title = "Relative L2",
         .about = "‖output − reference‖ / ‖reference‖; 0 is equal. Also with untrained weights, as "
                  "arithmetic only.",
         .outputs = numbers,
         .isDistanceOf = {Tensor}},
        {.name = "max_difference",
         .title = "Max |Δ|",
         .about = "Largest |output − reference| of a single value; of images on the scale 0 … 1, "
                  "before values are limited to it. Also with untrained weights.",
         .outputs = numbers},
        {.name = "mean_difference",
         .title = "Mean |Δ|",
         .about = "Mean |output − reference| of all values; of images on the scale 0 … 1. Also "
                  "with untrained weights.",
         .outputs = numbers},
    };
}

}  // namespace

MetricRegistry::MetricRegistry()
{
    for (Metric& metric : builtInMetrics())
        add(std::move(metric));
    for (Metric& metric : profileMetrics())
        add(std::move(metric));
    for (OutputMetric& metric : builtInOutputMetrics())
        add(std::move(metric));
}

}  // namespace qs::core
