#pragma once

#include "core/base/result.h"
#include "core/model/catalogue.h"
#include "core/model/safetensors/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace qs::core {

// One tensor of a checkpoint under the name that the architecture uses.
struct StoredTensor {
    std::size_t file = 0;
    std::string storedName;
    std::vector<std::int64_t> shape;
    StoredType type = StoredType::F32;
};

// What the headers of the files of a checkpoint say.
struct CheckpointTensors {
    std::vector<SafetensorsFile> files;
    std::map<std::string, StoredTensor> byName;

    // Null if there is none of that name and rank.
    [[nodiscard]] const StoredTensor* find(const std::string& name, std::size_t rank) const;
    [[nodiscard]] std::uint64_t fileBytes() const;
    // "sha256:…" over the contents of all files. Reads them once in the life of the program.
    [[nodiscard]] Result<std::string> contentId() const;
};

// The name that the architecture has for a stored one; empty for tensors that are none of its
// business and not worth a word.
using TensorRename = std::function<std::string(const std::string& stored)>;

// Reads the headers alone, as far as nothing is wrong. Names that were changed go to the report; a
// name that comes up twice is an error.
[[nodiscard]] Status readCheckpointTensors(const std::vector<std::filesystem::path>& files,
                                           const TensorRename& rename, CheckpointTensors& tensors,
                                           LoadReport& report);

// Where each weight of the family lies. What is missing, of another shape or type, or unknown goes
// to the report.
[[nodiscard]] StoredWeights placeWeights(const ModelFamily& family,
                                         const CheckpointTensors& tensors, LoadReport& report);

// "[64, 256]"
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& shape);
// "a, b, c"
[[nodiscard]] std::string listText(const std::vector<std::string>& names);

// The folder itself, or the one of a file in it.
[[nodiscard]] std::filesystem::path checkpointFolder(const std::filesystem::path& path);

// What a family found in the headers of a checkpoint; filled as far as reading came.
struct CheckpointHeaders {
    CheckpointTensors tensors;
    StoredWeights stored;
    std::string variant;
    std::string displayName;
    std::shared_ptr<const ModelFamily> family;
    LoadReport report;
};

// Reads the headers of a family's checkpoint into its argument.
using HeaderReader = std::function<Status(const std::filesystem::path&, CheckpointHeaders&)>;

// The two ways to look at a checkpoint (core/model/catalogue.h) by one reader of headers.
[[nodiscard]] Result<OpenedModel> openByHeaders(const std::filesystem::path& path,
                                                const HeaderReader& read);
// The same where a configuration decides about outputs, too: the variant is part of the content.
[[nodiscard]] Result<OpenedModel> openConfigured(const std::filesystem::path& path,
                                                 const HeaderReader& read);
[[nodiscard]] ModelInspection inspectByHeaders(const std::filesystem::path& path,
                                               const HeaderReader& read);

}  // namespace qs::core
