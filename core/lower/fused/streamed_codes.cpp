#include "core/lower/fused/streamed_codes.h"

#include "core/lower/fused/nibble_weight.h"
#include "core/lower/fused/pair_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace qs::core {

namespace {

constexpr std::int64_t kSpanBytes = 64;  // of a row
constexpr std::size_t kMostOperands = 2;
constexpr int kUpper = 16;  // what the upper one of two codes counts

// What four bytes of codes are as pairs of 16 bits: all that a word has.
constexpr const char* kWholePairs = R"(
__device__ __forceinline__ void qs_pairs_of(unsigned word, unsigned (&pairs)[4])
{
    const unsigned turned = kBits == 4 ? 0u : 0x80808080u;  // with their sign turned, upper codes are eight more
    #pragma unroll
    for (int p = 0; p < 4; ++p) pairs[p] = qs_masked((word ^ turned) >> 4 * p, 0x000f000fu, QS_BASE);
}
)";

// The pairs of eight neighbours that bytes of codes make: 0 and 2, 1 and 3, 4 and 6, 5 and 7.
constexpr const char* kByteOrder = R"(
__device__ __forceinline__ void qs_order(const qs_four& x, unsigned (&pairs)[4])
{
    pairs[0] = qs_bytes(x.at[0], x.at[1], 0x5410u);
    pairs[1] = qs_bytes(x.at[0], x.at[1], 0x7632u);
    pairs[2] = qs_bytes(x.at[2], x.at[3], 0x5410u);
    pairs[3] = qs_bytes(x.at[2], x.at[3], 0x7632u);
}
)";

// A place that is pitch · r, or pitch · r + i / divisor.
struct RowPlace {
    std::int64_t pitch = 0;
    std::int64_t divisor = 0;  // 0: the same along the row
};

std::optional<RowPlace> rowPlace(const Coordinate& place)
{
    RowPlace found;
    if (place.number != 0)
        return std::nullopt;
    for (const Coordinate::Term& term : place.terms) {
        const Atom& atom = term.atom;
        if (atom.modulus != 0)
            return std::nullopt;
        if (atom.variable == "r" && atom.divisor == 1 && found.pitch == 0)
            found.pitch = term.factor;
        else if (atom.variable == "i" && term.factor == 1 && found.divisor == 0)
            found.divisor = atom.divisor;
        else
            return std::nullopt;
    }
    return found;
}

// The operands of a chain lie alike.
bool takeOperands(StreamedCodes& codes)
{
    bool isFirst = true;
    for (const CodeStep& step : codes.chain.steps) {
        if (!step.operand)
            continue;
        const auto place = rowPlace(step.operand->place);
        if (!place || place->divisor % codes.span() != 0)
            return false;
        if (!isFirst && (place->pitch != codes.operandPitch || place->divisor != codes.group))
            return false;
        isFirst = false;
        codes.operandPitch = place->pitch;
        codes.group = place->divisor;
    }
    // Those of groups are copied, as elements of 16 bits.
    return codes.operands() <= kMostOperands && (!codes.chain.isWide || codes.group == 0);
}

// Pairs 0 and 2 alone. A code that is no number makes the sum none.
std::string float8Pairs(const PairType& pair)
{
    constexpr int kDigits = 3;
    constexpr int kBias = 7;
    const int up = pair.digits - kDigits;
    const unsigned size = 0x007f007fU << unsigned(up);
    return fmt::format(
        "\n__device__ __forceinline__ void qs_pairs_of(unsigned word, unsigned (&pairs)[4])\n{{\n"
        "    const unsigned even = word << {0} & {2:#010x}u, odd = word >> {1} & {2:#010x}u;\n"
        "    pairs[0] = QS_FMA2(even | (word << 8 & 0x80008000u), {3}, {4});\n"
        "    pairs[2] = QS_FMA2(odd | (word & 0x80008000u), {3}, {4});\n"
        "    const bool isNone = (((word & 0x7f7f7f7fu) + 0x01010101u) & 0x80808080u) != 0;\n"
        "    if (isNone) pairs[0] = 0x7fff7fffu;\n    pairs[1] = pairs[3] = 0u;\n}}\n",
        up, 8 - up, size, pair.both(std::ldexp(1.0, pair.bias - kBias)), pair.both(-0.0));
}

// What lies under codes when they are multiplied, less what is added to them first. A mask puts
// codes above `base`; upper ones, with their sign turned, are eight more.
double underCodes(const StreamedCodes& codes, const PairType& pair)
{
    const double base = pair.base();
    double under = 0.0;
    if (codes.chain.kind != CodeKind::Float8)
        under = codes.chain.kind == CodeKind::Nibble ? base : base + kUpper * (base + 8.0);
    for (const CodeStep& step : codes.chain.steps)
        under -= step.operand ? 0.0 : step.number;
    return under;
}

// Operand `which`, as a pointer.
std::string operandText(const CodeChain& chain)
{
    std::vector<std::string> pointers;
    for (const CodeStep& step : chain.steps) {
        if (step.operand)
            pointers.push_back(fmt::format("x{}_", step.operand->input));
    }
    if (pointers.empty())
        return "nullptr";
    return pointers.size() == 1 ? pointers[0]
                                : fmt::format("which == 0 ? {} : {}", pointers[0], pointers[1]);
}

bool hasSummand(const CodeChain& chain)
{
    return std::any_of(chain.steps.begin(), chain.steps.end(),
                       [](const CodeStep& step) { return step.operand && !step.isProduct; });
}

// What is done with codes by operands, one step after the other.
std::string lineText(const StreamedCodes& codes)
{
    std::string text;
    std::size_t operand = 0;
    for (const CodeStep& step : codes.chain.steps) {
        if (!step.operand)
            continue;
        if (step.isProduct)
            text +=
                fmt::format("    line.factor *= s[{0}];\n    line.summand *= s[{0}];\n", operand++);
        else
            text += fmt::format("    line.summand += s[{}];\n", operand++);
    }
    return text;
}

}  // namespace

std::int64_t StreamedCodes::span() const
{
    return kSpanBytes * 8 / bitsOf(chain.kind);
}

std::size_t StreamedCodes::operands() const
{
    return static_cast<std::size_t>(
        std::count_if(chain.steps.begin(), chain.steps.end(),
                      [](const CodeStep& step) { return step.operand.has_value(); }));
}

std::int64_t StreamedCodes::step() const
{
    return kSpansAtOnce * std::max<std::int64_t>(1, group / span());
}

std::int64_t StreamedCodes::operandBytes(std::int64_t spans) const
{
    constexpr std::array<std::int64_t, 3> kCopied{16, 8, 4};
    if (group == 0)
        return kCopied.back();
    constexpr std::int64_t kElement = 2;
    for (const std::int64_t bytes : kCopied) {
        if (operandPitch * kElement % bytes == 0 && spans * span() / group * kElement % bytes == 0)
            return bytes;
    }
    return 0;
}

std::optional<StreamedCodes> streamedCodes(const Graph& group, const InputStrides& strides,
                                           const SkinnyProduct& skinny)
{
    constexpr std::int64_t kReadBytes = 16;
    auto chain = codeChain(group, strides, skinny);
    if (!chain)
        return std::nullopt;
    const auto place = rowPlace(chain->codes.place);
    if (!place || place->pitch % kReadBytes != 0 ||
        skinny.product.k * bitsOf(chain->kind) / 8 % kReadBytes)
        return std::nullopt;
    StreamedCodes codes{.chain = std::move(*chain), .pitch = place->pitch};
    if (!takeOperands(codes) || codes.operandBytes(codes.step()) == 0)
        return std::nullopt;
    return codes;
}

std::string streamedText(const StreamedCodes& codes, ProductType type)
{
    const PairType pair = pairTypeOf(type);
    const CodeKind kind = codes.chain.kind;
    const double upper = kind == CodeKind::Nibble ? 1.0 : kind == CodeKind::Byte ? kUpper : 0.0;
    return (kind == CodeKind::Nibble ? nibbleOrder() : kByteOrder) +
           fmt::format(
               "#define QS_BASE {}\nconstexpr int kBits = {}, kOperands = {}, kGroupSpans = {};\n"
               "constexpr float kUpper = {:.1f}f, kUnder = {:.1f}f;\n"
               "constexpr bool kHasSummand = {};\n"
               "constexpr unsigned kCodesPitch = {}, kOperandPitch = {};\n"
               "struct qs_line {{ float factor, summand; }};\n"
               "__device__ __forceinline__ const unsigned char* qs_codes(QS_PARAMETERS)\n"
               "{{ return (const unsigned char*)x{}_; }}\n"
               "typedef {} qs_element;\n#define QS_OPERAND {}\n"
               "__device__ __forceinline__ const qs_element* qs_operand(int which, "
               "QS_PARAMETERS)\n{{ return (const qs_element*)({}); }}\n"
               "__device__ __forceinline__ qs_line qs_line_of(const float (&s)[{}])\n"
               "{{\n    qs_line line = {{1.0f, 0.0f}};\n{}    return line;\n}}\n",
               pair.both(pair.base()), bitsOf(kind), codes.operands(), codes.group / codes.span(),
               upper, underCodes(codes, pair), hasSummand(codes.chain), codes.pitch,
               codes.operandPitch, codes.chain.codes.input,
               codes.chain.isWide ? "float" : "unsigned short",
               codes.chain.isWide ? "(float)" : "QS_WIDE", operandText(codes.chain), kMostOperands,
               lineText(codes)) +
           (kind == CodeKind::Float8 ? float8Pairs(pair) : kWholePairs);
}

}  // namespace qs::core
