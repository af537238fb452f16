#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace qs::core {

// What k nearest neighbours say of each vector, itself left out: whether the label that most of the
// others nearest by cosine have is its own; of equally many the label of the nearest.
// k = round(√n), 1 to 20.
[[nodiscard]] std::vector<bool> neighboursAgree(const std::vector<std::vector<float>>& vectors,
                                                std::span<const int> labels);

// The mean of the rows of an embedding.
[[nodiscard]] std::vector<float> meanRow(std::span<const float> values, std::size_t width);

}  // namespace qs::core
