#pragma once

#include "core/base/json.h"
#include "core/graph/dtype.h"
#include "core/sweep/input_residency.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One kind of product of a stage, counted while the pass that is timed was made ready.
struct ExecutedProduct {
    std::string operation;  // "aten::_int_mm"
    DType type = DType::Float32;
    int ran = 0;
    std::optional<int> expected;  // by the layers of the Program; nothing where none asks for it
    // Of a compiled program, which is no row: names of the weights that its calls read as they are,
    // and its inputs as "#0", "#1".
    std::vector<std::string> operands = {};

    [[nodiscard]] bool mismatch() const { return expected && *expected != ran; }
    bool operator==(const ExecutedProduct&) const = default;
};

// Layers that did not run in the product that their scheme asks for.
struct StrayLayers {
    std::string module = {};                     // empty: it is not known which
    std::vector<std::int64_t> weightShape = {};  // empty: of several shapes
    int calls = 1;                               // of them, in one pass
    // What they ran in instead; an empty operation: not known.
    std::string operation = {};
    DType type = DType::Float32;

    bool operator==(const StrayLayers&) const = default;
};

// What ran in one stage, against what was asked for.
struct ExecutedStage {
    std::string stage;
    std::string scheme;
    int matched = 0;  // layers under the scheme
    int layers = 0;
    std::string activationRule;  // how activations are quantized on the fly; empty: not
    std::vector<ExecutedProduct> products;
    std::vector<StrayLayers> strays = {};  // most stages have none

    [[nodiscard]] bool mismatch() const;
    bool operator==(const ExecutedStage&) const = default;
};

[[nodiscard]] bool anyMismatch(const std::vector<ExecutedStage>& stages);
// Over all stages, by operation and type.
[[nodiscard]] std::vector<ExecutedProduct> productsOf(const std::vector<ExecutedStage>& stages);

[[nodiscard]] Json toJson(const std::vector<ExecutedStage>& stages);
[[nodiscard]] std::vector<ExecutedStage> executedFromJson(JsonFields& parent, std::string_view name,
                                                          std::vector<JsonIssue>& issues);

// What the clock of a device saw, when it timed the samples.
struct Conditions {
    CacheState cache = CacheState::Warm;
    bool streamHeld = false;  // see Note [Held streams] in core/engine/internal/backend.h
    InputResidency inputs = InputResidency::Device;
    // That the thread which launches the passes was kept on; nothing if it could move.
    std::optional<int> core = {};

    bool operator==(const Conditions&) const = default;
};

[[nodiscard]] Json toJson(const Conditions& conditions);
[[nodiscard]] Conditions conditionsFromJson(const JsonView& json, const std::string& path,
                                            std::vector<JsonIssue>& issues);

}  // namespace qs::core
