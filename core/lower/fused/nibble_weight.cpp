#include "core/lower/fused/nibble_weight.h"

#include "core/lower/fused/pair_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace qs::core {

namespace {

constexpr const char* kOrder = R"(
// The pairs of eight neighbours: 1 and 5, 0 and 4, 3 and 7, 2 and 6.
__device__ __forceinline__ void qs_order(const qs_four& x, unsigned (&pairs)[4])
{
    pairs[0] = qs_bytes(x.at[0], x.at[2], 0x7632u);
    pairs[1] = qs_bytes(x.at[0], x.at[2], 0x5410u);
    pairs[2] = qs_bytes(x.at[1], x.at[3], 0x7632u);
    pairs[3] = qs_bytes(x.at[1], x.at[3], 0x5410u);
}
)";

// Whether an operand is the same for all neighbours that are read at once.
bool isOfPieces(const Coordinate& place)
{
    return std::all_of(place.terms.begin(), place.terms.end(), [](const Coordinate::Term& term) {
        return !term.atom.withinRow ||
               (term.atom.variable == "i" && term.atom.divisor % kNibblesAtOnce == 0);
    });
}

// What a step is in the kernel: members of what is read, how they are read, and `v` times or plus
// them.
struct StepText {
    std::string member;
    std::string read;
    std::string doubled;
    std::string step;
};

StepText stepText(const CodeStep& step, std::size_t number, const PairType& pair)
{
    const std::string both = fmt::format("d{}", number);
    return {fmt::format("unsigned short s{}; ", number),
            fmt::format("    reads.s{} = x{}_[{}];\n", number, step.operand->input,
                        step.operand->place.code()),
            fmt::format("    const unsigned d{0} = qs_both(reads.s{0});\n", number),
            fmt::format("            v = QS_FMA2(v, {}, {});\n",
                        step.isProduct ? both : pair.both(1.0),
                        step.isProduct ? pair.both(-0.0) : both)};
}

}  // namespace

std::string nibbleOrder()
{
    return kOrder;
}

std::optional<std::string> nibbleText(const KernelFrame& frame, const CodeChain& chain,
                                      ProductType type)
{
    const PairType pair = pairTypeOf(type);
    double shift = 0.0;
    StepText all;
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
        const CodeStep& step = chain.steps[i];
        if (!step.operand) {
            shift = step.number;
            continue;
        }
        if (!isOfPieces(step.operand->place))
            return std::nullopt;
        const StepText text = stepText(step, i, pair);
        all.member += text.member;
        all.read += text.read;
        all.doubled += text.doubled;
        all.step += text.step;
    }
    // With the base taken away, in one step: both are whole numbers.
    if (chain.kind != CodeKind::Nibble || chain.isWide || std::abs(shift) > pair.base())
        return std::nullopt;
    const std::string parameters = parametersOf(frame);
    return kOrder +
           fmt::format("struct qs_weight_row {{}};\n"
                       "__device__ __forceinline__ qs_weight_row qs_read_weight_row(const "
                       "qs_index, {0})\n{{ return {{}}; }}\n"
                       "struct qs_weight_reads {{ qs_four codes; {1}}};\n"
                       "__device__ __forceinline__ qs_weight_reads qs_read_weight(const qs_index "
                       "r, const qs_index i, {0})\n{{\n    qs_weight_reads reads;\n"
                       "    reads.codes = *(const qs_four*)(x{2}_ + {3});\n{4}    return reads;\n}}"
                       "\n__device__ __forceinline__ void qs_widen(const qs_index, const qs_index, "
                       "const qs_weight_row&, const qs_weight_reads& reads, unsigned (&pairs)[16], "
                       "{0})\n{{\n{5}    #pragma unroll\n    for (int q = 0; q < 4; ++q)\n"
                       "        #pragma unroll\n        for (int p = 0; p < 4; ++p) {{\n"
                       "            unsigned v = qs_masked(reads.codes.at[q] >> 4 * p, "
                       "0x000f000fu, {6});\n            v = QS_FMA2(v, {7}, {8});\n{9}"
                       "            pairs[4 * q + p] = v;\n        }}\n}}\n",
                       parameters, all.member, chain.codes.input, chain.codes.place.code(),
                       all.read, all.doubled, pair.both(pair.base()), pair.both(1.0),
                       pair.both(shift - pair.base()), all.step);
}

}  // namespace qs::core
