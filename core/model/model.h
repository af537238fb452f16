#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_slice.h"
#include "core/model/layers.h"
#include "core/model/packaged_program.h"
#include "core/model/workload.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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

// A buffer (running statistics of a batch norm) is loaded and kept as a weight is, but it is no
// parameter.
struct WeightSpec {
    std::string name;  // as in the checkpoint of its stage: "decoder_blocks.3.ffn.fc1.weight"
    std::vector<std::int64_t> shape;
    Initialiser initialiser;
    bool buffer = false;
    // Kept whatever the working type is: of whole numbers and of positions.
    std::optional<DType> ownType = std::nullopt;

    [[nodiscard]] std::int64_t elementCount() const;
    [[nodiscard]] DType typeFor(DType working) const { return ownType.value_or(working); }
};

// A part of the model that is run, timed and quantized on its own.
struct StageInfo {
    std::string name;  // "encoder"
    std::vector<WeightSpec> weights;
    // The weights are those of that earlier stage, under the same names, and lie in memory once.
    std::optional<std::size_t> sharedWith = std::nullopt;
    // It is this program and has neither weights nor layers that anything is known of.
    std::optional<PackagedProgram> program = std::nullopt;
};

// What a layer is for; scopes of layer filters are made of these.
enum class LayerRole { Attention, Mlp, Convolution, Embedding, Stem, Head };

struct LayerPlace {
    LayerRole role = LayerRole::Head;
    std::int64_t block = -1;      // index of the block it belongs to; -1 outside the blocks
    std::int64_t blockCount = 0;  // of its stage
};

// A tensor on the host: what drivers feed to stages and take from them.
struct HostTensor {
    std::vector<std::int64_t> shape;
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;
};
using HostTensors = std::map<std::string, HostTensor>;

// Architecture without weights. Stages run as a pipeline: the inputs of a stage are looked up by
// name among the inputs of the model and the outputs of earlier stages; states of the same name are
// one tensor, which outlives a pass. Immutable, safe to share between threads.
class ModelFamily
{
public:
    ModelFamily() = default;
    virtual ~ModelFamily() = default;
    ModelFamily(const ModelFamily&) = delete;
    ModelFamily& operator=(const ModelFamily&) = delete;

    [[nodiscard]] virtual const std::vector<StageInfo>& stages() const = 0;
    [[nodiscard]] virtual const Workload& workload() const = 0;
    // Why this shape cannot be built, in words, or ok. Sizes that the model does not have are none
    // of its business; those that it has are there.
    [[nodiscard]] virtual Status checkShape(const ShapePoint& point) const = 0;
    // The stage in the given working type; the point must have passed checkShape.
    [[nodiscard]] virtual Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                                                   DType compute) const = 0;
    [[nodiscard]] virtual LayerPlace layerPlace(std::size_t stage,
                                                const std::string& module) const = 0;
    // How often a pass runs the stage, in a row.
    [[nodiscard]] virtual std::int64_t runsPerPass(std::size_t stage,
                                                   const ShapePoint& point) const;
    // What a sample is made of, beside the unit of the workload; the point has passed checkShape.
    [[nodiscard]] virtual std::vector<SampleAmount> amounts(const ShapePoint&) const { return {}; }
    // Images [B, 3, H, W] in [-1, 1] -> inputs of the stages. Only where images are the source.
    [[nodiscard]] virtual Result<HostTensors> prepare(const FloatArray& images) const;
    // The judged output as it is stored and compared: images [B, 3, H, W] in [-1, 1], not clamped;
    // other kinds as they are.
    [[nodiscard]] virtual Result<FloatArray> present(const FloatArray& output,
                                                     const ShapePoint& point) const;

    // Found in the graph of the smallest shape, once.
    [[nodiscard]] const std::vector<LayerSpec>& layers(std::size_t stage) const;

private:
    mutable std::once_flag m_layersOnce;
    mutable std::vector<std::vector<LayerSpec>> m_layers;
};

// Weights made by the generator: no file is read, values depend on seed, name and index alone.
struct GeneratedWeights {
    std::int64_t seed = 42;
};

// How a stored tensor stands for what is asked of it.
enum class StoredForm {
    AsIs,     // type and shape are those
    Packed,   // codes of 4 or 8 bits in int32, see Note [Quantized checkpoints]
    Numbers,  // as many floats of a type that is no wider, in a shape of any rank
};

// Where one weight lies: a file and the name it has there, or its place in a file that is no
// safetensors.
struct StoredWeight {
    std::size_t file = 0;
    std::string name;
    std::optional<TensorSlice> slice = std::nullopt;
    StoredForm form = StoredForm::AsIs;  // of parts of quantized weights
};

// Weights in files. Keys are "stage/name".
struct StoredWeights {
    std::vector<std::filesystem::path> files;
    std::map<std::string, StoredWeight> places;
};

// The stage that the weights of a stage are those of: the stage itself where it shares none.
[[nodiscard]] std::size_t weightOwner(const ModelFamily& family, std::size_t stage);

struct Model {
    std::string reference;    // as it was asked for
    std::string displayName;  // "ViTok 350M-f16x64"
    std::string variant;      // canonical text of the architecture
    std::shared_ptr<const ModelFamily> family;
    std::variant<GeneratedWeights, StoredWeights> weights;
    // Of weights that their files hold as a scheme stores them, by "stage/name", the text of that
    // scheme. Their parts have places, "stage/name:codes".
    std::map<std::string, std::string> quantized = {};
    bool untrained = false;  // the files hold what a generator made
    // Equal ids mean equal outputs: SHA-256 of the weight files, or a text with variant and seed.
    std::string contentId;
    // Whether the weights are trained, where their origin does not tell it.
    std::optional<bool> declaredTrained = std::nullopt;
    bool fedFromFiles = false;  // an input at least is fed with what no generator made

    // Weights come from files and not from a generator.
    [[nodiscard]] bool trained() const
    {
        return std::holds_alternative<StoredWeights>(weights) && !untrained;
    }
    // Trained weights answer something real. Otherwise outputs mean nothing, and only numeric
    // deviation may be shown.
    [[nodiscard]] bool outputsMeanSomething() const
    {
        return declaredTrained.value_or(trained()) &&
               (fedFromFiles || family->workload().takesImages());
    }
    // Weights that stages share count once.
    [[nodiscard]] std::int64_t parameterCount() const;
    [[nodiscard]] std::int64_t parameterCount(std::size_t stage) const;
};

}  // namespace qs::core
