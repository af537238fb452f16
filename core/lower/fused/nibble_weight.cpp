#include "core/lower/fused/nibble_weight.h"

#include "core/lower/fused/through_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace qs::core {

namespace {

constexpr std::int64_t kReadBytes = 16;

// Numbers of 16 bits, twice in a word.
struct PairType {
    DType type;
    int digits;  // behind the leading one
    int bias;    // of exponents

    // The number whose last digit is worth one.
    [[nodiscard]] double base() const { return std::ldexp(1.0, digits); }
    // A number that it has, both times.
    [[nodiscard]] std::string both(double number) const
    {
        int exponent = 0;
        const double mantissa = std::frexp(std::abs(number), &exponent);
        const auto rest = static_cast<unsigned>(std::ldexp(mantissa, digits + 1));
        const unsigned leading = 1U << unsigned(digits);
        const unsigned size = number == 0.0 ? 0U
                                            : (unsigned(exponent - 1 + bias) << unsigned(digits)) +
                                                  (rest & (leading - 1));
        return fmt::format("{:#010x}u", (size | (std::signbit(number) ? 0x8000U : 0U)) * 0x10001U);
    }
};
constexpr PairType kBFloat16{DType::BFloat16, 7, 127};
constexpr PairType kFloat16{DType::Float16, 10, 15};

// In kernels: pair · factor + summand, and the same as floats; empty: one, and nothing.
struct Step {
    std::string factor;
    std::string summand;
    std::string wideFactor = {};
    std::string wideSummand = {};
};
// Neighbours of a row that a warp multiplies at once.
constexpr std::int64_t kOfWarp = 4 * kNibblesAtOnce;

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

class NibbleWriter final
{
public:
    NibbleWriter(const KernelFrame& frame, const InputStrides& strides, ProductType type)
        : m_frame(frame),
          m_graph(frame.group),
          m_strides(strides),
          m_uses(frame.group),
          m_type(type == ProductType::BFloat16 ? kBFloat16 : kFloat16)
    {
    }

    [[nodiscard]] std::optional<std::string> write(ValueId weight, const Coordinates& at)
    {
        if (!follow(weight, at))
            return std::nullopt;
        std::string steps;
        std::string line;
        for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
            if (!m_isLinear)
                steps += fmt::format("            v = QS_FMA2(v, {}, {});\n", step->factor,
                                     step->summand);
            else if (!step->wideFactor.empty())
                line += fmt::format("    line.factor *= {0};\n    line.summand *= {0};\n",
                                    step->wideFactor);
            else if (!step->wideSummand.empty())
                line += fmt::format("    line.summand += {};\n", step->wideSummand);
        }
        const std::string parameters = parametersOf(m_frame);
        return kOrder +
               fmt::format(
                   "struct qs_weight_row {{}};\n"
                   "__device__ __forceinline__ qs_weight_row qs_read_weight_row(const qs_index, "
                   "{0})\n{{ return {{}}; }}\n"
                   "struct qs_weight_reads {{ qs_four codes; {1}}};\n"
                   "__device__ __forceinline__ qs_weight_reads qs_read_weight(const qs_index r, "
                   "const qs_index i, {0})\n{{\n    qs_weight_reads reads;\n"
                   "    reads.codes = *(const qs_four*)({2});\n{3}    return reads;\n}}\n"
                   "__device__ __forceinline__ void qs_widen(const qs_index, const qs_index, const "
                   "qs_weight_row&, const qs_weight_reads& reads, unsigned (&pairs)[16], {0})\n{{\n"
                   "{4}    #pragma unroll\n    for (int q = 0; q < 4; ++q)\n"
                   "        #pragma unroll\n        for (int p = 0; p < 4; ++p) {{\n"
                   "            unsigned v = qs_masked(reads.codes.at[q] >> 4 * p, 0x000f000fu, "
                   "{5});\n{6}"
                   "            pairs[4 * q + p] = v;\n        }}\n}}\n"
                   "constexpr bool kLinear = {7};\nconstexpr unsigned kOnes = {8};\n"
                   "__device__ __forceinline__ qs_line qs_line_of(const qs_weight_reads& reads)\n"
                   "{{\n    qs_line line = {{1.0f, 0.0f}};\n{9}    return line;\n}}\n",
                   parameters, m_members, m_codes, m_reads, m_isLinear ? std::string() : m_doubled,
                   m_type.both(m_type.base()), steps, m_isLinear, m_type.both(1.0), line);
    }

private:
    // From a value to what it is made of, the last step first.
    [[nodiscard]] bool follow(ValueId id, const Coordinates& at)
    {
        const auto producer = m_uses.producer(id);
        if (!producer)
            return false;
        const Node& node = m_graph.nodes[*producer];
        if (const auto source = throughView(m_graph, node, id, at))
            return follow(node.tensor("self"), *source);
        if (m_graph.value(id).type.dtype != m_type.type)
            return false;
        const std::string_view name = node.operation->name;
        if (name == "aten::to" || name == "aten::_to_copy")
            return begin(node, at);
        if (m_shift)
            return false;
        if (name == "aten::mul") {
            const auto factor = operand(node, at);
            if (!factor)
                return false;
            m_steps.push_back({*factor, m_type.both(-0.0), wide(*factor)});
            return follow(node.tensor("self"), at);
        }
        return name == "aten::add" && add(node, at);
    }

    [[nodiscard]] bool add(const Node& node, const Coordinates& at)
    {
        const Argument* alpha = node.find("alpha");
        if (alpha != nullptr && numberOf(*alpha) != 1.0)
            return false;
        if (node.tensor("other") >= 0) {
            const auto summand = operand(node, at);
            if (!summand)
                return false;
            m_steps.push_back({m_type.both(1.0), *summand, {}, wide(*summand)});
            return follow(node.tensor("self"), at);
        }
        // With the base taken away, in one step: both are whole numbers.
        m_shift = numberOf(*node.find("other"));
        return follow(node.tensor("self"), at);
    }

    // The codes themselves, with what is added to them first.
    [[nodiscard]] bool begin(const Node& node, const Coordinates& at)
    {
        const double summand = m_shift.value_or(0.0) - m_type.base();
        m_shift.reset();
        if (std::abs(summand) > 2.0 * m_type.base() || summand != std::rint(summand))
            return false;
        m_steps.push_back(
            {m_type.both(1.0), m_type.both(summand), {}, fmt::format("{:.1f}f", summand)});
        return codes(node.tensor("self"), at);
    }

    [[nodiscard]] bool codes(ValueId id, const Coordinates& at)
    {
        const auto producer = m_uses.producer(id);
        if (!producer)
            return false;
        const Node& node = m_graph.nodes[*producer];
        if (const auto source = throughView(m_graph, node, id, at))
            return codes(node.tensor("self"), *source);
        const Argument* tensors = node.find("tensors");
        if (node.operation->name != "aten::stack" || tensors == nullptr)
            return false;
        const auto& parts = std::get<ValueRefs>(*tensors);
        const std::size_t axis = axisOf(node, "dim", at.size(), 0);
        Coordinates within = at;
        within.erase(within.begin() + static_cast<std::ptrdiff_t>(axis));
        const Coordinate half = modulo(placeAt("i", m_frame.length), 2);
        if (parts.size() != 2 || toText({at[axis]}) != toText({half}))
            return false;
        const auto upper = bitsOf(parts[0].id, "aten::bitwise_right_shift", 4.0);
        const auto lower = bitsOf(parts[1].id, "aten::bitwise_and", 15.0);
        return upper && lower && *upper == *lower && bytes(*upper, within);
    }

    [[nodiscard]] std::optional<ValueId> bitsOf(ValueId id, std::string_view name,
                                                double number) const
    {
        const auto producer = m_uses.producer(id);
        if (!producer)
            return std::nullopt;
        const Node& node = m_graph.nodes[*producer];
        const Argument* other = node.find("other");
        return node.operation->name == name && other != nullptr && numberOf(*other) == number
                   ? std::optional(node.tensor("self"))
                   : std::nullopt;
    }

    // One after the other along the row, read from multiples of 16 on.
    [[nodiscard]] bool bytes(ValueId id, const Coordinates& at)
    {
        const auto place = placeInInput(m_uses, m_strides, id, at);
        if (!place || place->place.number != 0 || m_graph.value(id).type.dtype != DType::UInt8)
            return false;
        bool along = false;
        for (const Coordinate::Term& term : place->place.terms) {
            if (term.atom.variable == "i")
                along = term.factor == 1 && term.atom.divisor == 2 && term.atom.modulus == 0;
            else if (term.factor % kReadBytes != 0)
                return false;
        }
        m_codes = fmt::format("x{}_ + {}", place->input, place->place.code());
        return along;
    }

    // The second operand of a sum or product, in both halves of a word.
    [[nodiscard]] std::optional<std::string> operand(const Node& node, const Coordinates& at)
    {
        const ValueId other = node.tensor("other");
        if (other < 0 || m_graph.value(other).type.dtype != m_type.type)
            return std::nullopt;
        const auto place =
            placeInInput(m_uses, m_strides, other, broadcast(at, m_graph.value(other).type.shape));
        if (!place)
            return std::nullopt;
        for (const Coordinate::Term& term : place->place.terms) {
            if (term.atom.withinRow &&
                (term.atom.variable != "i" || term.atom.divisor % kNibblesAtOnce != 0))
                return std::nullopt;
            m_isLinear = m_isLinear && (!term.atom.withinRow || term.atom.divisor % kOfWarp == 0);
        }
        const std::size_t number = m_operands++;
        m_members += fmt::format("unsigned short s{}; ", number);
        m_reads +=
            fmt::format("    reads.s{} = x{}_[{}];\n", number, place->input, place->place.code());
        m_doubled += fmt::format("    const unsigned d{0} = qs_both(reads.s{0});\n", number);
        return fmt::format("d{}", number);
    }

    // An operand as a float.
    [[nodiscard]] static std::string wide(const std::string& operand)
    {
        return fmt::format("QS_WIDE(reads.s{})", operand.substr(1));
    }

    [[nodiscard]] static double numberOf(const Argument& argument)
    {
        if (const auto* whole = std::get_if<std::int64_t>(&argument))
            return static_cast<double>(*whole);
        const auto* number = std::get_if<double>(&argument);
        return number != nullptr ? *number : std::nan("");
    }

    const KernelFrame& m_frame;
    const Graph& m_graph;
    const InputStrides& m_strides;
    GraphUses m_uses;
    PairType m_type;
    std::vector<Step> m_steps;
    std::optional<double> m_shift;  // a number that is added to the codes
    std::string m_codes;            // where they begin
    std::string m_members;
    std::string m_reads;
    std::string m_doubled;
    std::size_t m_operands = 0;
    bool m_isLinear = true;  // operands are the same for all that a warp multiplies at once
};

}  // namespace

std::optional<std::string> nibbleText(const KernelFrame& frame, const InputStrides& strides,
                                      const SkinnyProduct& skinny)
{
    const Coordinate row = rowAt("r", skinny.product.b.rows);
    const Coordinate along = placeAt("i", skinny.product.k);
    const Coordinates at = skinny.turned ? Coordinates{along, row} : Coordinates{row, along};
    return NibbleWriter(frame, strides, skinny.product.type).write(skinny.weight, at);
}

}  // namespace qs::core
