#include "core/lower/fused/skinny_source.h"

#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/weight_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr int kFinished = 4;  // columns of the result that a thread finishes at once

std::string sizesText(const SkinnyProduct& skinny, const SkinnyShape& shape,
                      const KernelFrame& frame, int width, bool early)
{
    const MatrixProduct& product = skinny.product;
    const char* type = product.type == ProductType::BFloat16 ? "bf16" : "f16";
    const std::string cluster =
        shape.splits > 1 ? fmt::format("__cluster_dims__({}, 1, 1)", shape.splits) : "";
    return fmt::format(
               "#define QS_M {0}\n#define QS_N {1}\n#define QS_K {2}\n#define QS_PITCH {3}\n"
               "#define QS_FIRST x{4}_\n#define QS_NAME {5}\n#define QS_COLUMNS {6}\n"
               "#define QS_NEIGHBOURS {7}\n#define QS_CODES_ARE_WEIGHTS {8}\n"
               "#define QS_PARAMETERS {9}\n#define QS_ARGUMENTS {10}\n"
               "#define QS_FMA2 qs_fma2_{11}\n#define QS_PAIR qs_pair_{11}\n"
               "#define QS_MULTIPLY qs_multiply_{11}\n#define QS_WIDE qs_from_{11}\n"
               "struct qs_line {{ float factor, summand; }};\n"
               "typedef float qs_sum;\nconstexpr int kHalves = {12};\n",
               product.a.rows, product.columns(), product.k, product.a.pitch, product.a.input,
               frame.name, width, kFinished, early ? 1 : 0, parametersOf(frame), argumentsOf(frame),
               type, product.halves) +
           fmt::format("#define QS_BLOCKS {}\n#define QS_RESIDENT {}\n#define QS_CLUSTER {}\n"
                       "constexpr int kRowWarps = {}, kWarpsOfK = {}, kSplits = {};\n"
                       "constexpr bool kStaged = {};\n",
                       shape.blocks(), shape.resident, cluster, shape.rowWarps, shape.kWarps,
                       shape.splits, shape.staged);
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
    QS_TRY(const WeightReader reader, weightReader(group, strides, division, *skinny));
    const Rows rows{product.a.rows, product.columns()};
    KernelShape place;
    place.width = kFinished;
    const std::string name =
        namedAfter(group, reader.width == kByteCodes ? "qs_skinny_8bit" : "qs_skinny_4bit");
    // Whether all that the weights are made of is there before a pass.
    const bool early =
        !weights.empty() && std::all_of(reader.inputs.begin(), reader.inputs.end(),
                                        [&](std::size_t input) { return weights[input]; });
    KernelFrame frame{group, place, rows, rows.length, name, reachOf(group, strides)};
    QS_TRY(const std::string finish, KernelWriter(frame, strides, division, &product).write());
    std::vector<SkinnySource> sources;
    for (const SkinnyShape& shape : skinnyShapes(*skinny, reader.width, processors, hasClusters)) {
        frame.name = name + "_" + shape.name();
        sources.push_back({sizesText(*skinny, shape, frame, reader.width, early) + finish +
                               reader.text + std::string(skinnyFrame()),
                           frame.name, *skinny, shape});
    }
    return sources;
}

}  // namespace qs::core
