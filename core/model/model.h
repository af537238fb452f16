#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace qs::core {

// How a weight is filled when no file gives it: a counter-based generator, see generated_weights.h.
struct Initialiser {
    enum class Kind { Normal, Constant };
    Kind kind = Kind::Normal;
    double scale = 1.0;  // standard deviation, or the constant itself

    bool operator==(const Initialiser&) const = default;
};

struct WeightSpec {
    std::string name;  // as in the checkpoint of its stage: "decoder_blocks.3.ffn.fc1.weight"
    std::vector<std::int64_t> shape;
    Initialiser initialiser;

    [[nodiscard]] std::int64_t elementCount() const;
};

// A mutable tensor that keeps its content from one run of a stage to the next, until it is reset to
// `initialValue`.
struct StateSpec {
    std::string name;
    TensorType type;
    double initialValue = 0.0;
};

// A part of the model that is run, timed and quantized on its own.
struct StageInfo {
    std::string name;  // "encoder"
    std::vector<WeightSpec> weights;
    std::vector<StateSpec> states;
};

// The concrete sizes that a stage is built for.
struct ShapePoint {
    std::int64_t batch = 1;
    std::int64_t imageSize = 256;  // pixels, square
};

// What a linear layer is for; scopes of layer filters are made of these.
enum class LayerRole { Attention, Mlp, Embedding, Head };

struct LayerPlace {
    LayerRole role = LayerRole::Head;
    std::int64_t block = -1;      // index of the block it belongs to; -1 outside the blocks
    std::int64_t blockCount = 0;  // of its stage
};

// What the last stage gives, and so which quality figures make sense.
enum class OutputKind { Picture, Tensor };

// A tensor on the host: what drivers feed to stages and take from them.
struct HostTensor {
    std::vector<std::int64_t> shape;
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;
};
using HostTensors = std::map<std::string, HostTensor>;

// Architecture without weights. Stages run as a pipeline: the inputs of a stage are looked up by
// name among the prepared inputs and the outputs of earlier stages. Immutable, safe to share
// between threads.
class ModelFamily
{
public:
    virtual ~ModelFamily() = default;

    [[nodiscard]] virtual const std::vector<StageInfo>& stages() const = 0;
    [[nodiscard]] virtual OutputKind outputKind() const = 0;
    // Why this shape cannot be built, in words, or ok.
    [[nodiscard]] virtual Status checkShape(const ShapePoint& point) const = 0;
    // The stage in the given working type; the point must have passed checkShape.
    [[nodiscard]] virtual Graph buildStage(std::size_t stage, const ShapePoint& point,
                                           DType compute) const = 0;
    [[nodiscard]] virtual LayerPlace layerPlace(std::size_t stage,
                                                const std::string& module) const = 0;
    // Pictures [B, 3, H, W] in [-1, 1] -> inputs of the stages.
    [[nodiscard]] virtual Result<HostTensors> prepare(const FloatArray& pictures) const = 0;
    // Output of the last stage -> pictures [B, 3, H, W] in [-1, 1], not clamped.
    [[nodiscard]] virtual Result<FloatArray> present(const FloatArray& output,
                                                     const ShapePoint& point) const = 0;
};

// Weights made by the generator: no file is read, values depend on seed, name and index alone.
struct GeneratedWeights {
    std::int64_t seed = 42;
};

// Where one weight lies: a file and the name it has there.
struct StoredWeight {
    std::size_t file = 0;
    std::string name;
};

// Weights in safetensors files. Keys are "stage/name".
struct StoredWeights {
    std::vector<std::filesystem::path> files;
    std::map<std::string, StoredWeight> places;
};

struct Model {
    std::string reference;    // as it was asked for
    std::string displayName;  // "ViTok 350M-f16x64"
    std::string variant;      // canonical text of the architecture
    std::shared_ptr<const ModelFamily> family;
    std::variant<GeneratedWeights, StoredWeights> weights;
    // Equal ids mean equal outputs: SHA-256 of the weight files, or a text with variant and seed.
    std::string contentId;

    // With generated weights, pictures mean nothing and only numeric deviation may be shown.
    [[nodiscard]] bool trained() const { return std::holds_alternative<StoredWeights>(weights); }
    [[nodiscard]] std::int64_t parameterCount() const;
    [[nodiscard]] std::int64_t parameterCount(std::size_t stage) const;
};

}  // namespace qs::core
