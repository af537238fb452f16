#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// The class of a sample, and where its file says so.
struct SampleLabel {
    int label = 0;
    std::size_t line = 0;  // counted from 1
};

// "0\n2\n1\n": a whole number from 0 a line. Lines that are empty are none; line ends may be those
// of Windows. Errors name the line.
[[nodiscard]] Result<std::vector<SampleLabel>> readSampleLabels(const std::string& path);

// What is labelled.
struct LabelledSamples {
    std::int64_t count = 0;
    bool atMost = false;  // there may be fewer: images are counted when they are read
    // How many the output tells apart; nothing where it holds no classes.
    std::optional<std::int64_t> classes = {};
};
// Whether there is a class for each sample, and one that the output can be right about.
[[nodiscard]] Status checkSampleLabels(const std::string& path,
                                       const std::vector<SampleLabel>& labels,
                                       const LabelledSamples& of);

}  // namespace qs::core
