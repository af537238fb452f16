#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/declared_input.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core::packaged {

// What was found out when a package ran once with the inputs that its user declared: what the file
// itself does not say. Kept beside it; says nothing of another file under the same name.
struct PackageFacts {
    std::string sha256;                 // of the package
    std::vector<DeclaredInput> inputs;  // in the order of its arguments, each with a name
    // In its order, each with a name, a type and sizes as inputs have them.
    std::vector<DeclaredInput> outputs;
    std::int64_t lowestBatch = 1;  // where the batch is free

    bool operator==(const PackageFacts&) const = default;
    // Whether any input has a size that is called so.
    [[nodiscard]] bool freeBatch() const;
};

// Whether a text of a file can be a SHA-256: 64 hexadecimal digits.
[[nodiscard]] bool isHash(const std::string& text);
// "net.package.json" of "net.pt2".
[[nodiscard]] std::filesystem::path factsFileOf(const std::filesystem::path& package);
// NotFound if there is none.
[[nodiscard]] Result<PackageFacts> readFacts(const std::filesystem::path& file);
[[nodiscard]] Result<PackageFacts> factsFromJson(const Json& json);
[[nodiscard]] Status writeFacts(const PackageFacts& facts, const std::filesystem::path& file);

}  // namespace qs::core::packaged
