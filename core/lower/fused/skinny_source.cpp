#include "core/lower/fused/skinny_source.h"

#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/streamed_codes.h"
#include "core/lower/fused/weight_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr int kFinished = 4;  // columns of the result that a thread finishes at once

// Of the product, the same for all shapes.
std::string productText(const SkinnyProduct& skinny, const KernelFrame& frame, bool early)
{
    const MatrixProduct& product = skinny.product;
    const char* type = product.type == ProductType::BFloat16 ? "bf16" : "f16";
    return fmt::format(
        "#define QS_M {0}\n#define QS_N {1}\n#define QS_K {2}\n#define QS_PITCH {3}\n"
        "#define QS_FIRST x{4}_\n#define QS_NEIGHBOURS {5}\n#define QS_CODES_ARE_WEIGHTS {6}\n"
        "#define QS_PARAMETERS {7}\n#define QS_ARGUMENTS {8}\n"
        "#define QS_FMA2 qs_fma2_{9}\n#define QS_PAIR qs_pair_{9}\n"
        "#define QS_MULTIPLY qs_multiply_{9}\n#define QS_WIDE qs_from_{9}\n"
        "typedef float qs_sum;\nconstexpr int kHalves = {10};\n",
        product.a.rows, product.columns(), product.k, product.a.pitch, product.a.input, kFinished,
        early ? 1 : 0, parametersOf(frame), argumentsOf(frame), type, product.halves);
}

std::string shapeText(const SkinnyShape& shape, const std::string& name)
{
    const std::string cluster =
        shape.splits > 1 ? fmt::format("__cluster_dims__({}, 1, 1)", shape.splits) : "";
    return fmt::format("#define QS_NAME {}\n#define QS_BLOCKS {}\n#define QS_RESIDENT {}\n"
                       "#define QS_CLUSTER {}\n#define QS_SHARED {}\n"
                       "constexpr int kRowWarps = {}, kWarpsOfK = {}, kSplits = {};\n",
                       name, shape.blocks(), shape.resident, cluster, shape.sharedBytes,
                       shape.rowWarps, shape.kWarps, shape.splits);
}

// A way to read codes: its text, that of its kernel, and the shapes that are tried.
struct CodesWay {
    std::string name;
    std::vector<std::size_t> inputs;  // that weights are made of
    std::string text;
    std::string_view frame;
    std::vector<SkinnyShape> shapes;
    std::vector<std::string> sizes;  // of each shape
};

std::vector<std::size_t> inputsOf(const CodeChain& chain)
{
    std::vector<std::size_t> inputs{chain.codes.input};
    for (const CodeStep& step : chain.steps) {
        if (step.operand)
            inputs.push_back(step.operand->input);
    }
    return inputs;
}

// None where codes cannot be streamed.
CodesWay streamedWay(const Graph& group, const InputStrides& strides, const SkinnyProduct& skinny,
                     int processors, bool hasClusters)
{
    const auto codes = streamedCodes(group, strides, skinny);
    if (!codes)
        return {};
    CodesWay way{codes->chain.kind == CodeKind::Nibble ? "qs_skinny_4bit" : "qs_skinny_8bit",
                 inputsOf(codes->chain),
                 streamedText(*codes, skinny.product.type),
                 streamedFrame(),
                 streamedShapes(skinny, *codes, processors, hasClusters),
                 {}};
    for (const SkinnyShape& shape : way.shapes)
        way.sizes.push_back(fmt::format("constexpr int kStages = {}, kTrips = {}, "
                                        "kOperandBytes = {};\n",
                                        shape.stages, shape.trips,
                                        codes->operandBytes(shape.trips)));
    return way;
}

Result<CodesWay> registerWay(const Graph& group, const InputStrides& strides, Division division,
                             const SkinnyProduct& skinny, int processors, bool hasClusters)
{
    QS_TRY(WeightReader reader, weightReader(group, strides, division, skinny));
    CodesWay way{reader.width == kByteCodes ? "qs_skinny_8bit" : "qs_skinny_4bit",
                 reader.inputs,
                 std::move(reader.text),
                 skinnyFrame(),
                 skinnyShapes(skinny, reader.width, processors, hasClusters),
                 {}};
    for (const SkinnyShape& shape : way.shapes)
        way.sizes.push_back(fmt::format("#define QS_COLUMNS {}\nconstexpr bool kStaged = {};\n",
                                        reader.width, shape.staged));
    return way;
}

}  // namespace

Result<std::vector<SkinnySource>> skinnySources(const Graph& group, const InputStrides& strides,
                                                Division division, int processors, bool hasClusters,
                                                const std::vector<bool>& weights)
{
    const auto skinny = skinnyProduct(group, strides);
    if (!skinny)
        return Error{ErrorCode::Unsupported, "operands that lie in another way"};
    const MatrixProduct& product = skinny->product;
    CodesWay way = streamedWay(group, strides, *skinny, processors, hasClusters);
    if (way.shapes.empty()) {
        QS_TRY(way, registerWay(group, strides, division, *skinny, processors, hasClusters));
    }
    const Rows rows{product.a.rows, product.columns()};
    KernelShape place;
    place.width = kFinished;
    const std::string name = namedAfter(group, way.name);
    // Whether all that the weights are made of is there before a pass.
    const bool early =
        !weights.empty() && std::all_of(way.inputs.begin(), way.inputs.end(),
                                        [&](std::size_t input) { return weights[input]; });
    const KernelFrame frame{group, place, rows, rows.length, name, reachOf(group, strides)};
    QS_TRY(const std::string finish, KernelWriter(frame, strides, division, &product).write());
    std::vector<SkinnySource> sources;
    for (std::size_t i = 0; i < way.shapes.size(); ++i) {
        const std::string own = name + "_" + way.shapes[i].name();
        sources.push_back({productText(*skinny, frame, early) + shapeText(way.shapes[i], own) +
                               way.sizes[i] + finish + std::string(skinnyCommon()) + way.text +
                               std::string(way.frame),
                           own, *skinny, way.shapes[i]});
    }
    return sources;
}

}  // namespace qs::core
