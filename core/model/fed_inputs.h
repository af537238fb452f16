#pragma once

#include "core/base/file_place.h"
#include "core/model/input_feed.h"
#include "core/model/model.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// What a model is judged on, but for images: `count` samples of each input with a batch.
struct FedInputs {
    HostTensors tensors;
    std::int64_t count = 0;
    // Of samples that have one of their own; else empty.
    std::vector<std::int64_t> ownLengths = {};
};

// Of a set where nothing says how many there are: enough for a verdict, see kFewestPictures.
inline constexpr std::int64_t kGeneratedSamples = 16;

// Of a feed that has one: what its file holds, or the ids of its prompts. That is what the copies
// of a run hold.
[[nodiscard]] Result<HostTensor> readFedFile(const InputFeed& feed);

// What a file holds, or the ids of its prompts, as that input of that type takes it. Errors:
// another type or shape, prompts that are too short or too long, tokens that the model does not
// have.
[[nodiscard]] Result<HostTensor> fedTensor(HostTensor read, const InputSpec& input,
                                           const TensorType& type, const InputFeed& feed);

// Reads the files of the feeding where `placeOf` has them, and generates what neither they nor
// images give. As many samples as the shortest file has, at most `most` where images are fed, and
// `usual` where there is nothing but generated values. The graphs say the shapes.
[[nodiscard]] Result<FedInputs>
readFedInputs(const ModelFamily& family, const std::vector<const Graph*>& stages,
              const ModelFeeding& feeding,
              const std::function<FilePlace(const std::string& input)>& placeOf, std::int64_t seed,
              std::int64_t usual, std::optional<std::int64_t> most);

}  // namespace qs::core
