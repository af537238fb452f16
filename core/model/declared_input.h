#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What an input of a program looks like that does not say so itself: "x=float32[batch,3,224,224]".
struct DeclaredInput {
    std::string name;  // empty: as the program has it
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;        // with 0 for the batch
    std::optional<std::size_t> batch = {};  // the dimension that is called so

    bool operator==(const DeclaredInput&) const = default;
    [[nodiscard]] TensorType typeFor(std::int64_t batchSize) const;
};

// The name and "=" may be left out. Sizes are 1 to 2³¹, at most one of them is "batch".
[[nodiscard]] Result<DeclaredInput> parseDeclaredInput(std::string_view text);
[[nodiscard]] std::string toText(const DeclaredInput& input);

}  // namespace qs::core
