#pragma once

#include "core/base/registry.h"
#include "core/model/opened_model.h"
#include "core/model/sizes.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace qs::core {

// All that is known of a model family, one row each; every list, axis, reference and check is made
// from these rows. A family is a folder of core/model with a row of its own; a program may add
// others at its start.
struct FamilySpec {
    // "vitok": "vitok:VARIANT" is a model of it with generated weights.
    std::string name;
    std::string description;  // one sentence for lists and the command line
    std::vector<Parameter> parameters = {};
    std::vector<SizeSpec> sizes = {};        // that its models have, beside the batch
    std::vector<std::string> stages = {};    // names, where all models have the same
    std::vector<std::string> variants = {};  // that lists offer, "350M-f16x64"

    // A model with weights generated from the seed; the text is what stands behind the colon.
    std::function<Result<OpenedModel>(const std::string& variant, std::int64_t seed)> generate = {};
    // Whether a file or folder is a checkpoint of the family, by names and headers alone. Empty: no
    // checkpoint is.
    std::function<bool(const std::filesystem::path&)> recognises = {};
    std::function<Result<OpenedModel>(const std::filesystem::path&)> open = {};
    std::function<ModelInspection(const std::filesystem::path&)> inspect = {};
};

}  // namespace qs::core
