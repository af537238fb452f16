#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/model/program_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// An operation of a program that cannot be run.
struct UnsupportedCall {
    std::string operation;  // "torch.ops.aten.nonzero.default"
    std::string module;     // of the first call; may be empty
    int calls = 1;
    bool dataDependent = false;  // the size of its result depends on the data
};

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
    std::vector<std::string> renamed;          // legacy names that were understood
    std::vector<UnsupportedCall> unsupported;  // what keeps a program from running
    std::vector<std::string> advice;           // what would make the model better to sweep

    [[nodiscard]] bool complete() const { return missing.empty() && misshaped.empty(); }
    // All of it in sentences, with what one can do about each problem.
    [[nodiscard]] std::string text() const;
};

struct OpenedModel {
    Model model;
    LoadReport report;
};

// What can be said of a model without reading its weights, also of one that cannot be opened.
struct ModelInspection {
    std::string reference;
    std::string displayName;
    std::shared_ptr<const ModelFamily> family;  // null if nothing was recognised
    LoadReport report;
    std::vector<std::filesystem::path> files;  // that make it up; none if weights are generated
    std::uint64_t fileBytes = 0;
    std::filesystem::path tokenizer = {};  // tokenizer.json beside the weights; empty if none is
    bool trained = false;
    Status status;  // why it cannot be opened: the error of openModel
    // A program of which something can be made by those who trust it.
    std::optional<ProgramSummary> program = {};
    // "Which one?": references that answer what was ambiguous.
    std::vector<std::filesystem::path> choices;

    [[nodiscard]] bool usable() const { return status.ok(); }
};

}  // namespace qs::core
