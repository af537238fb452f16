#pragma once

#include <filesystem>

// A .pt2 as torch.export.save writes it, small enough to be run in a fraction of a second.
namespace qs::tests {

// Batch 1. Inputs: `image` float32 [1, 3, 32, 32], `ids` int64 [1, 4] below kSmallVocabulary,
// `noise` float32 [1, 16]. Outputs: `output_0`, nearly the image, and `output_1`, scores [1, 10].
// Modules: `encoder`, `decoder`, `head`, in this order. Ends the test program if it cannot be
// written.
void writeSmallProgram(const std::filesystem::path& path);
inline constexpr int kSmallVocabulary = 600;

}  // namespace qs::tests
