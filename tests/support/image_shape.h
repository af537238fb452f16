#pragma once

#include "core/model/workload.h"

#include <cstdint>
#include <string>

namespace qs::tests {

// A batch of square images.
[[nodiscard]] inline core::ShapePoint imageShape(std::int64_t batch, std::int64_t side)
{
    return {batch, {{std::string(core::kImageSize), side}}};
}

}  // namespace qs::tests
