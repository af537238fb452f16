#pragma once

#include "core/model/input_feed.h"
#include "core/model/model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace qs::core {

// What of a declaration cannot be, each part by itself, and the family as the rest of it feeds it.
struct FeedingCheck {
    std::shared_ptr<const ModelFamily> family;
    std::map<std::string, Error> inputs = {};  // by name
    std::optional<Error> output = std::nullopt;
    std::optional<Error> stages = std::nullopt;
    std::optional<Error> labels = std::nullopt;

    [[nodiscard]] Status status() const;  // the first
};

// As feedModel() says of the declaration and fedTensor() of its files, which are read as at the
// begin of a run. `sizes`: those of the first cell; the others are the usual ones of the model.
// `mostImages`: that models of images are given.
[[nodiscard]] FeedingCheck checkFeeding(const std::shared_ptr<const ModelFamily>& family,
                                        const ModelFeeding& feeding, const Sizes& sizes,
                                        std::int64_t mostImages);

// The one input that can take images, and how: nothing where none can, or several. The range of its
// values is what nobody can know; it is the usual one, 0 to 1.
[[nodiscard]] std::optional<std::pair<std::string, ImageFeed>>
onlyImageInput(const std::shared_ptr<const ModelFamily>& family);

}  // namespace qs::core
