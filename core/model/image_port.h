#pragma once

#include "core/base/npy.h"
#include "core/model/input_feed.h"
#include "core/model/model.h"

#include <cstdint>
#include <string>

namespace qs::core {

// The input of a model that takes images, as it is declared.
struct ImagePort {
    std::string input;
    ImageFeed feed;
    std::int64_t fixedSize = 0;      // pixels a side; 0: free
    bool ownRowsAndColumns = false;  // which are two sizes of the model, "height" and "width"

    // [B, 3, H, W] in [-1, 1] -> as the input takes them.
    [[nodiscard]] HostTensor taken(const FloatArray& images) const;
    // The way back, of an output of the same kind.
    [[nodiscard]] FloatArray given(const FloatArray& output) const;
    // The sizes that the model itself knows.
    [[nodiscard]] ShapePoint inner(ShapePoint point) const;
};

// An error if that input cannot take square images of three channels.
[[nodiscard]] Result<ImagePort> imagePort(const ModelFamily& family, const std::string& input,
                                          const std::vector<std::int64_t>& shape,
                                          const ImageFeed& feed);

}  // namespace qs::core
