#pragma once

#include "core/base/npy.h"
#include "core/model/model.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Shapes of images]
// Images lie square on the disk, image size x image size. A model that has the sizes "image_height"
// and "image_width" takes as many rows and columns from their middle, 0 meaning all of them; what
// it gives is as high and as wide. One that has "token_budget" takes so many tokens whatever the
// image is cut into, 0 meaning as many as there are: those that are missing are zeros throughout,
// and a mask of the model tells them.
inline constexpr std::string_view kImageHeight = "image_height";
inline constexpr std::string_view kImageWidth = "image_width";
inline constexpr std::string_view kTokenBudget = "token_budget";
// Attention reaches so many tokens back and forth, 0 meaning all of them.
inline constexpr std::string_view kAttentionWindow = "attention_window";

// What is taken from the middle of images; 0, or more than they have: all of it.
struct MiddlePart {
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    // The same in numbers, of an image of this size.
    [[nodiscard]] MiddlePart of(std::int64_t height, std::int64_t width) const;

    bool operator==(const MiddlePart&) const = default;
};

[[nodiscard]] MiddlePart middlePartOf(const Sizes& sizes);

// Of images [.., H, W].
[[nodiscard]] FloatArray middlePart(FloatArray images, const MiddlePart& part);

// Of the inputs of stages, by name.
using InputShapes = std::map<std::string, std::vector<std::int64_t>>;
[[nodiscard]] InputShapes inputShapes(const std::vector<const Graph*>& stages);

// Square images [B, 3, S, S] as the stages of a cell of these sizes take them.
[[nodiscard]] Result<HostTensors> inputsOfImages(const ModelFamily& family, FloatArray images,
                                                 const Sizes& sizes, const InputShapes& shapes);

}  // namespace qs::core
