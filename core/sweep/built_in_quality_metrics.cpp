#include "core/sweep/built_in_metrics.h"

#include <limits>

namespace qs::core {

std::vector<Metric> builtInQualityMetrics()
{
    using enum MetricUnit;
    const auto image = std::vector{OutputKind::Image};
    return {
        {.name = "noise_multiple",
         .column = "noise_floor_multiple",
         .title = "× noise floor",
         .about =
             "Distance from the reference over the noise floor; of classes that of top-1 or of "
             "the KL divergence, whichever is more.",
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
        {.name = "accuracy",
         .column = "accuracy_top1",
         .title = "Accuracy",
         .about = "Share of the labelled images whose most likely class is their label.",
         .needsTraining = true,
         .rare = true,
         .ofLabels = true,
         .outputs = {OutputKind::Classes}},
        {.name = "knn_accuracy",
         .column = "accuracy_nearest_neighbours",
         .title = "k-NN accuracy",
         .about = "Share of the labelled samples whose nearest others by cosine have their label; "
                  "k is the root of their number, 20 at most.",
         .needsTraining = true,
         .rare = true,
         .ofLabels = true,
         .outputs = {OutputKind::Embedding}},
        {.name = "text_loss",
         .column = "text_loss_nats",
         .title = "Loss of the text",
         .about = "Mean cross-entropy of the tokens of the prompt that is read, in nats a token; "
                  "with new tokens = 0.",
         .unit = Nats,
         .better = Better::Lower,
         .digits = 5,
         .needsTraining = true,
         .rare = true,
         .ofLabels = true,
         .outputs = {OutputKind::Logits}},
        {.name = "uncompiled_difference",
         .column = "largest_difference_from_uncompiled",
         .title = "Difference from uncompiled",
         .about =
             "Largest difference of a value of the outputs from those of the same cell without "
             "compiling, as the precision is; of GPTQ from those of its straight way.",
         .better = Better::Lower,
         .digits = 3,
         .rare = true},
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
         .isFinerDistanceOf = {Classes},
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
         .outputs = {Tokens, Logits},
         .better = Better::Higher,
         .identical = 1.0,
         .needsTraining = true,
         .isDistanceOf = {Tokens},
         .inTables = true},
        {.name = "first_different",
         .title = "First different token",
         .about = "Place of the first token after the prompt that is not that of the quality "
                  "reference, from 1.",
         .outputs = {Tokens, Logits},
         .better = Better::Higher,
         .identical = std::numeric_limits<double>::infinity(),
         .needsTraining = true},
        {.name = "token_agreement_with_prompt",
         .title = "Equal tokens, with the prompt",
         .about = "The same with the tokens of the prompt, which are equal by construction: for "
                  "comparison with benchmarks that count them.",
         .outputs = {Logits},
         .better = Better::Higher,
         .identical = 1.0,
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

}  // namespace qs::core
