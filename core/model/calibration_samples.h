#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace qs::core {

// Note [Generated pictures]
// Discs of all sizes that cover each other ("dead leaves"): their statistics are those of
// photographs (a power spectrum that falls with the square of the frequency, sharp edges, flat
// areas), which noise has not, so that ranges that are calibrated on them fit photographs.
// Everything depends on seed, number and place alone, in additions, products and square roots that
// are exact everywhere: every machine makes the same bits.

// float32 [1, 3, size, size] in [-1, 1]; the same picture at every size.
[[nodiscard]] FloatArray generatedPicture(std::int64_t seed, std::int64_t number,
                                          std::int64_t size);

// Of generated inputs: never that of a quality set, which are made of the seeds of cells.
[[nodiscard]] std::int64_t calibrationSeed(std::int64_t seed);

// One sample of a generated calibration set as the stages take it: a picture, or inputs of the
// generator where the model takes no images. The graphs are those of a batch of 1. Never a sample
// of a quality set.
[[nodiscard]] Result<HostTensors> calibrationSample(const ModelFamily& family,
                                                    const std::vector<const Graph*>& stages,
                                                    const Sizes& sizes, std::int64_t seed,
                                                    std::int64_t number);

// Which samples of a set of `there` are taken: with seed 0 the first, else as many at random, in
// the order in which they are drawn. `samples` is at most `there`.
[[nodiscard]] std::vector<std::int64_t> chosenSamples(std::int64_t there, std::int64_t samples,
                                                      std::int64_t seed);

}  // namespace qs::core
