#pragma once

#include "core/base/enum_names.h"
#include "core/base/result.h"
#include "core/graph/dtype.h"
#include "core/model/sizes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The concrete sizes that stages are built for.
struct ShapePoint {
    std::int64_t batch = 1;
    Sizes sizes = {};
};

// What an output is, and so how far apart two of them are and how they are shown.
enum class OutputKind { Image, Logits, Tokens, Classes, Embedding, Tensor };
inline constexpr auto kOutputKinds = enumNames<OutputKind>({{OutputKind::Image, "image"},
                                                            {OutputKind::Logits, "logits"},
                                                            {OutputKind::Tokens, "tokens"},
                                                            {OutputKind::Classes, "classes"},
                                                            {OutputKind::Embedding, "embedding"},
                                                            {OutputKind::Tensor, "tensor"}});

// What throughput, energy and price speak of.
enum class WorkUnit { Image, Token, Sample };
inline constexpr auto kWorkUnits = enumNames<WorkUnit>(
    {{WorkUnit::Image, "image"}, {WorkUnit::Token, "token"}, {WorkUnit::Sample, "sample"}});

// What else a sample is made of, beside its unit: what rates are told of.
enum class AmountKind { Token, SquareKilometre };
inline constexpr auto kAmountKinds = enumNames<AmountKind>(
    {{AmountKind::Token, "token"}, {AmountKind::SquareKilometre, "square_km"}});
struct SampleAmount {
    AmountKind kind = AmountKind::Token;
    double ofSample = 0.0;

    bool operator==(const SampleAmount&) const = default;
};

// How a pass runs the stages: one after the other, or the first one once and the last one for each
// further token. Where logits are judged, those of all these runs are, one position after the
// other: [B, V] of each run become [B, runs, V].
enum class Driver { OnePass, Autoregressive };

// Where the contents of the inputs come from; those that images do not give are generated.
enum class InputSource { Images, Generated };

// Of generated values.
enum class Distribution { Uniform, Normal };

// One input of the model by name; stages find it under that name.
struct InputSpec {
    std::string name;
    bool whole = false;    // int64 instead of the working type
    bool batched = true;   // its first dimension is the batch
    double lowest = -1.0;  // range of values that make sense, both ends included
    double highest = 1.0;
    Distribution distribution = Distribution::Uniform;
    double mean = 0.0;  // of a normal one
    double deviation = 1.0;
    // Of rows of a table, such as token ids: there is nothing outside of the range.
    bool indices = false;
    // The size that each sample has a value of its own of, see Note [Own lengths] in
    // core/model/text_feed.h; empty: all samples have that of the cell.
    std::string ownSize = {};
};

// The batches that a model can have.
struct BatchRange {
    std::int64_t lowest = 1;
    std::int64_t highest = 0;  // 0: any
};

struct OutputSpec {
    std::string name;
    OutputKind kind = OutputKind::Tensor;
};

// What a model does with what, without its weights. A plain value of the family.
struct Workload {
    std::vector<SizeSpec> sizes = {};
    std::vector<InputSpec> inputs = {};
    std::vector<OutputSpec> outputs = {};
    std::string judged = {};  // the output that quality is told of
    WorkUnit unit = WorkUnit::Sample;
    // The size that counts the units of one sample: "new_tokens"; empty: a sample is one unit.
    std::string unitSize = {};
    // The size that counts them where that one is 0: "prompt_tokens" of what only reads.
    std::string otherUnitSize = {};
    Driver driver = Driver::OnePass;
    InputSource source = InputSource::Generated;
    BatchRange batches = {};

    // Its inputs are images, or are made of them; otherwise all of them are generated.
    [[nodiscard]] bool takesImages() const { return source == InputSource::Images; }
    [[nodiscard]] const SizeSpec* findSize(std::string_view name) const;
    [[nodiscard]] const InputSpec* findInput(std::string_view name) const;
    [[nodiscard]] const OutputSpec& judgedOutput() const;
    // Of the input whose samples have one; empty: none.
    [[nodiscard]] std::string ownSize() const;
    // The outputs of stages that follow one another as the judged one, see Driver; none where it is
    // a single output.
    [[nodiscard]] std::vector<std::string> judgedSteps() const;
    // The smallest shape that the model has, one sample of it.
    [[nodiscard]] ShapePoint smallestShape() const;
    // Of its unit: tokens that are generated, those of a prompt that is only read, samples.
    [[nodiscard]] std::int64_t unitsPerPass(const ShapePoint& shape) const;
    // The sizes of the model: the given ones, fallbacks for those that are not given.
    [[nodiscard]] Sizes completed(const Sizes& given) const;
};

[[nodiscard]] std::string_view name(OutputKind kind);
[[nodiscard]] std::string_view name(WorkUnit unit);
[[nodiscard]] std::string_view name(Driver driver);

}  // namespace qs::core
