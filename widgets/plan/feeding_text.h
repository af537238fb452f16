#pragma once

#include "core/model/input_feed.h"
#include "core/model/model.h"

#include <QString>

namespace qs::widgets {

// "x images · ids random · weights trained · output scores (classes)"
[[nodiscard]] QString feedingText(const core::ModelFeeding& feeding,
                                  const core::ModelFamily* family);

}  // namespace qs::widgets
