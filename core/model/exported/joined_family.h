#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace qs::core::exported {

// A program that is one stage of a model of several. Its family has one stage.
struct JoinedPart {
    std::string stage;  // "decoder"
    std::shared_ptr<const ModelFamily> family;
    // Which size of the family each dimension of an input is: "batch", "image_size"; empty: none.
    std::map<std::string, std::vector<std::string>> dimensions;
};

// Several programs as a pipeline. An input takes the next output of the program before that has its
// type and the extents that are fixed; sizes of such inputs are those of the output, and no axes.
// Other inputs are the model's: those of one name are one. Errors: two stages of one name, a
// program that takes nothing of what the one before gives.
[[nodiscard]] Result<std::shared_ptr<const ModelFamily>>
joinFamilies(std::vector<JoinedPart> parts);

}  // namespace qs::core::exported
