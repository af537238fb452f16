#pragma once

#include "core/model/model.h"
#include "core/model/resnet/network.h"

#include <memory>
#include <string>
#include <string_view>

namespace qs::core::resnet {

// "18/10": the depth of the network and the number of its classes; "18" has ImageNet's 1000.
// Depths are 10 (one block a layer), 18 and 34.
[[nodiscard]] Result<Variant> parseVariant(std::string_view text);
[[nodiscard]] std::string toText(const Variant& variant);

// One stage "network": image -> logits.
[[nodiscard]] std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant);

// The size of its images.
[[nodiscard]] SizeSpec imageSizeSpec();

}  // namespace qs::core::resnet
