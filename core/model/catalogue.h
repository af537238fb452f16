#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// What was found when a model was opened: shown in the window and by `quantscope-cli inspect`.
struct LoadReport {
    std::string recognised;   // "ViTok w256_d2_h4-…/1x16x64, from encoder.safetensors and
                              // decoder.safetensors"
    std::string storedTypes;  // "BF16", "F32 and BF16"
    std::vector<std::string> missing;     // tensors that the architecture needs
    std::vector<std::string> unexpected;  // tensors that it does not know
    // "to_code.weight: file [64, 256], architecture [32, 256]", and tensors whose type cannot be
    // loaded
    std::vector<std::string> misshaped;
    std::vector<std::string> renamed;  // legacy names that were understood

    [[nodiscard]] bool complete() const { return missing.empty() && misshaped.empty(); }
    // All of it in sentences, with what one can do about each problem.
    [[nodiscard]] std::string text() const;
};

struct OpenedModel {
    Model model;
    LoadReport report;
};

// Whether it names a file or a folder of the user's, and no model that comes with the program.
[[nodiscard]] bool isModelPath(const std::string& reference);

// A reference is
//   "demo"                       the trained model in `resourceFolder`/demo_model
//   "vitok:350M-f16x64"          "FAMILY:VARIANT", see core/model/family_registry.h: a model with
//                                weights generated from `seed`
//   a folder or a .safetensors   a checkpoint of a family
// Missing or mis-shaped tensors are an error that lists all of them; unexpected ones are only
// reported.
[[nodiscard]] Result<OpenedModel> openModel(const std::string& reference,
                                            const std::filesystem::path& resourceFolder,
                                            std::int64_t seed);

// What can be said of a model without reading its weights, also of one that cannot be opened.
struct ModelInspection {
    std::string reference;
    std::string displayName;
    std::shared_ptr<const ModelFamily> family;  // null if nothing was recognised
    LoadReport report;
    std::vector<std::filesystem::path> files;  // that make it up; none if weights are generated
    std::uint64_t fileBytes = 0;
    bool trained = false;
    Status status;  // why it cannot be opened: the error of openModel
    // "Which one?": references that answer what was ambiguous.
    std::vector<std::filesystem::path> choices;

    [[nodiscard]] bool usable() const { return status.ok(); }
};

// Reads headers alone, so that it takes no longer for a model of billions of parameters; for the
// load report.
[[nodiscard]] ModelInspection inspectModel(const std::string& reference,
                                           const std::filesystem::path& resourceFolder,
                                           std::int64_t seed);

}  // namespace qs::core
