#pragma once

#include "core/model/model.h"
#include "core/model/packaged/package_facts.h"

#include <memory>
#include <string_view>

namespace qs::core::packaged {

// The one stage of such a model.
inline constexpr std::string_view kStage = "package";

// A compiled program as a model of one stage without operations: its graph is one region from all
// inputs to all outputs. InvalidArgument if no output can be judged.
[[nodiscard]] Result<std::shared_ptr<const ModelFamily>> makeFamily(PackagedProgram program,
                                                                    PackageFacts facts);

}  // namespace qs::core::packaged
