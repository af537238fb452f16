#pragma once

#include "core/base/note.h"
#include "core/base/registry.h"
#include "core/device/device_needs.h"
#include "core/device/peak_rates.h"
#include "core/graph/builder.h"
#include "core/model/layers.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

struct SchemeSpec;

// A precision scheme with its parameters: what weights and activations of the matched layers are
// stored and multiplied in. Text as in files and in the window: "int8dq", "int4wo-64".
using Scheme = Parameterised<SchemeSpec>;

// One tensor that is stored instead of a weight.
struct StoredPart {
    std::string name;  // "codes": the weight "m.weight" is stored as "m.weight:codes"
    TensorType type;
};

// Features of a layer must be multiples of these; inputs so many at least.
struct Alignment {
    std::int64_t in = 1;
    std::int64_t out = 1;
    std::int64_t fewestIn = 1;
};

// What executes a layer, as the engine counts it: "aten::_int_mm" giving int32.
struct Product {
    std::string operation;
    DType type = DType::BFloat16;

    auto operator<=>(const Product&) const = default;
};

// What calibration gathers of the inputs of a layer.
enum class Statistic {
    FeatureMaxima,  // float32 [in]: the largest magnitude of each feature
    Range,          // float32 [2]: ends of the range of values, as the method of the scheme says
    RecentMaxima,   // float32 [n]: largest magnitudes of the last samples, the latest first
    SecondMoments,  // float64 [in, in]: the sum of the outer products; for solvers alone
};

// What a composition makes the stored parts from.
struct WeightParts {
    ValueId weight = -1;     // [out, in], in the working type
    ValueId statistic = -1;  // see SchemeSpec::statistic; -1: none
};

// What a composition writes a layer from.
struct LayerParts {
    ValueId x = -1;               // [M, in] where parts are stored, else as the model has it
    std::vector<ValueId> stored;  // in the order of SchemeSpec::stored, else the weight [out, in]
    ValueId bias = -1;            // -1: none
    std::vector<ValueId> states = {};  // in the order of SchemeSpec::states
};

// What a composition writes a convolution from.
struct ConvolutionParts {
    ValueId x = -1;               // [N, C, H, W]
    std::vector<ValueId> stored;  // of the weight as a matrix [out, C / groups · kernel], or itself
    ValueId bias = -1;            // -1: none
    std::vector<std::int64_t> weightShape;
    // stride, padding, dilation, groups: as aten::conv2d takes them
    std::vector<NamedArgument> options;
};

// Note [Schemes]
// All that is known of a scheme, one row each; every list, label, id, editor and check is made
// from these rows. A scheme is defined by one composition of ATen operations: the executor runs it,
// compilers receive it, and fused kernels are tested against it. Numerics follow torchao 0.18
// (tests/golden/schemes). Rows stand in core/quant/schemes; a program may add its own.
struct SchemeSpec {
    std::string name = {};
    std::string description = {};  // "what is stored; what is computed; what it is for"
    std::vector<Parameter> parameters = {};
    // Texts that lists offer; empty: the name alone, with the fallbacks.
    std::vector<std::string> offered = {};
    // Of activations, and of weights outside the matched layers; see core/quant/rest_of_model.h.
    DType workingType = DType::BFloat16;
    // What layers that are not matched run in; empty: the scheme itself.
    std::string outside = {};
    bool allowTf32 = false;                   // for float32 products of its stages
    std::optional<DType> attentionType = {};  // that attention is narrowed to
    // How activations are quantized, "absmax / 127.5, codes -128 … 127"; empty: not.
    std::function<std::string(const Scheme&)> activationRule = {};
    DeviceNeeds needs = {};
    PeakClass peak = PeakClass::Bits16;
    int tone = 0;  // place among the colours of plots; equal ones are spread
    // Of compiled programs alone, which run as they are; lists for other models do not offer it.
    bool ofPrograms = false;

    // Everything below may be empty. Without `stored` the weight stays as it is in the working
    // type, without `linear` it is multiplied as it is.
    std::function<std::vector<StoredPart>(const Scheme&, std::int64_t out, std::int64_t in)>
        stored = {};
    // Tensors of each linear layer that outlive a pass. A state "history" begins as the stored part
    // "history:initial", before each batch of outputs anew, so that outputs do not depend on how
    // often the layer ran before.
    std::function<std::vector<StoredPart>(const Scheme&)> states = {};
    std::function<Alignment(const Scheme&)> alignment = {};
    // What has to be known of a layer's inputs before its weight is quantized. The scheme then has
    // the parameters of core/quant/calibration.h.
    std::optional<Statistic> statistic = {};
    // Turns a weight into the stored parts, in their order.
    std::function<std::vector<ValueId>(const Scheme&, GraphBuilder&, const WeightParts&)>
        quantizeWeight = {};
    // What does so where no composition can, by its name in the engine: "gptq"; layer after layer,
    // on inputs that have passed the layers before. Empty: quantizeWeight.
    std::string solver = {};
    // The weight [out, in] that the stored parts stand for, in the order of `stored`, in a floating
    // type. Empty: nothing is told of errors of the weight.
    std::function<ValueId(const Scheme&, GraphBuilder&, const std::vector<ValueId>& stored)>
        restoreWeight = {};
    // The layer. `notes` receives what deserves a word on the row.
    std::function<ValueId(const Scheme&, GraphBuilder&, const LayerParts&, const DeviceDescription&,
                          std::vector<Note>& notes)>
        linear = {};
    // The convolution; without it, a scheme that has `linear` leaves convolutions alone.
    std::function<ValueId(const Scheme&, GraphBuilder&, const ConvolutionParts&,
                          const DeviceDescription&, std::vector<Note>& notes)>
        convolution = {};
    // Batch norms behind its convolutions are taken into their weights before those are quantized.
    bool foldsBatchNorm = false;
    // What the composition multiplies linear layers with; empty: aten::linear; see productTypeOf().
    std::function<Product(const Scheme&, const DeviceDescription&)> product = {};
    // The same of its convolutions, once for each group where matrices are multiplied; empty:
    // aten::conv2d.
    std::function<Product(const Scheme&, const DeviceDescription&)> convolutionProduct = {};
};

}  // namespace qs::core
