#pragma once

#include <cstdint>
#include <filesystem>

// A .pt2 as torch.export.save writes it, small enough to be run in a fraction of a second.
namespace qs::tests {

// Of one batch. Inputs: `image` float32 [batch, 3, 32, 32], `ids` int64 [batch, 4] below
// kSmallVocabulary, `noise` float32 [batch, 16]. Outputs: `output_0`, nearly the image, and
// `output_1`, scores [batch, 10].
// Modules: `encoder`, `decoder`, `head`, in this order. Ends the test program if it cannot be
// written.
void writeSmallProgram(const std::filesystem::path& path, std::int64_t batch = 1);
inline constexpr int kSmallVocabulary = 600;

}  // namespace qs::tests
