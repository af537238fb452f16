#pragma once

#include "core/base/result.h"
#include "core/model/opened_model.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace qs::core {

// The trained models that come with the program.
struct ShippedModel {
    std::string_view reference;
    const char* folder;  // below the resources
    const char* displayName;
    const char* description;
};
[[nodiscard]] std::span<const ShippedModel> shippedModels();

// Whether it names a file or a folder of the user's, and no model that comes with the program.
[[nodiscard]] bool isModelPath(const std::string& reference);

// The name of the family of a reference, by names and headers alone; empty if none knows it.
[[nodiscard]] std::string familyOf(const std::string& reference,
                                   const std::filesystem::path& resourceFolder);

// A reference is
//   "demo", "demo-text"          the trained models in `resourceFolder`/demo_model and
//                                demo_text_model
//   "vitok:350M-f16x64"          "FAMILY:VARIANT", see core/model/family_registry.h: a model with
//                                weights generated from `seed`
//   a folder or a .safetensors   a checkpoint of a family
//   a .pt2                       any program, as torch.export.save writes it
// Missing or mis-shaped tensors are an error that lists all of them; unexpected ones are only
// reported.
[[nodiscard]] Result<OpenedModel> openModel(const std::string& reference,
                                            const std::filesystem::path& resourceFolder,
                                            std::int64_t seed);

// Reads headers alone, so that it takes no longer for a model of billions of parameters; for the
// load report.
[[nodiscard]] ModelInspection inspectModel(const std::string& reference,
                                           const std::filesystem::path& resourceFolder,
                                           std::int64_t seed);

}  // namespace qs::core
