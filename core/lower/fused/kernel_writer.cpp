#include "core/lower/fused/kernel_writer.h"

#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/through_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::int64_t kMostConstants = 16384;

std::string keyOf(ValueId id, const Coordinates& at)
{
    return fmt::format("{}@{}", id, toText(at));
}

bool isJoin(const Node& node)
{
    return node.operation->name == "aten::cat" || node.operation->name == "aten::stack";
}

// Whether what it gives of a narrow number is one of that type.
bool keepsNarrow(const Graph& graph, const Node& node)
{
    const std::string_view name = node.operation->name;
    return (name == "aten::abs" || name == "aten::neg" || name == "aten::relu") &&
           graph.value(node.tensor("self")).type.dtype ==
               graph.value(node.outputs.front()).type.dtype;
}

}  // namespace

KernelWriter::KernelWriter(const KernelFrame& frame, const InputStrides& strides, Division division,
                           const MatrixProduct* product)
    : m_group(frame.group),
      m_strides(strides),
      m_division(division),
      m_frame(frame),
      m_product(product),
      m_uses(frame.group)
{
}

Result<std::string> KernelWriter::write()
{
    writeOutputs();
    if (m_failure)
        return Error{ErrorCode::Unsupported, *m_failure};
    m_parts.push_back({std::move(m_between)});
    return m_product != nullptr ? finishText(m_frame, m_parts, m_known)
                                : kernelText(m_frame, m_parts, m_arrays);
}

Result<std::string> KernelWriter::writeWeight(ValueId weight, bool turned)
{
    Loop& loop = m_loops.emplace_back();
    const Coordinate row = rowAt("r", m_frame.rows->count);
    const Coordinates at = turned ? Coordinates{place(), row} : Coordinates{row, place()};
    const std::string w = settled(loop, [&] { return value(weight, at, &loop); });
    // In a pair it is rounded again: by then the first time is of no use.
    const auto exact = m_exact.find(w);
    loop.body +=
        fmt::format("            w[j] = {};\n", exact != m_exact.end() ? exact->second : w);
    endLoop(loop);
    if (!m_failure && (m_parts.size() != 1 || !m_group.constants.empty()))
        fail("weights that are made of whole rows, or of constants");
    if (m_failure)
        return Error{ErrorCode::Unsupported, *m_failure};
    return weightText(m_frame, m_parts.front(), m_known);
}

void KernelWriter::fail(const std::string& why)
{
    if (!m_failure)
        m_failure = why;
}

Coordinate KernelWriter::place() const
{
    return placeAt("i", m_frame.length);
}

std::optional<std::string> KernelWriter::known(const std::string& key, DType type, Loop* loop)
{
    if (loop == nullptr) {
        const auto found = m_rowNames.find(key);
        return found != m_rowNames.end() ? std::optional(found->second) : std::nullopt;
    }
    if (const auto here = loop->names.find(key); here != loop->names.end())
        return here->second;
    const auto before = m_computedIn.find(key);
    if (before == m_computedIn.end() || !keepsElements(m_frame.shape))
        return std::nullopt;
    auto kept = m_kept.find(key);
    if (kept == m_kept.end()) {
        const std::string array = fmt::format("k{}", m_names++);
        m_arrays += fmt::format("    {} {}[{}];\n", heldType(type), array,
                                m_frame.shape.chunks * m_frame.shape.width);
        m_loops[before->second.first].keeps +=
            fmt::format("            {}[c * {} + j] = {};\n", array, m_frame.shape.width,
                        before->second.second);
        kept = m_kept.emplace(key, fmt::format("{}[c * {} + j]", array, m_frame.shape.width)).first;
    }
    return kept->second;
}

std::string KernelWriter::named(const std::string& key, DType type, const std::string& expression,
                                Loop* loop)
{
    const std::string name = fmt::format("v{}", m_names++);
    std::string line = fmt::format("const {} {} = {};\n", heldType(type), name, expression);
    const auto exact = loop != nullptr ? beforeRounding(expression, type) : std::nullopt;
    if (exact) {
        m_exact[name] = "w" + name;
        line = fmt::format("const float w{0} = {1}; const float {0} = {2};\n", name, *exact,
                           rounded("w" + name, false, type));
    }
    if (loop == nullptr) {
        m_between += "    " + line;
        m_rowNames[key] = name;
        m_known.push_back({std::string(heldType(type)), name, {}});
    } else {
        loop->body += "            " + line;
        loop->names[key] = name;
    }
    return name;
}

std::string KernelWriter::value(ValueId id, const Coordinates& at, Loop* loop)
{
    if (m_failure)
        return kNothing;
    const DType type = m_group.value(id).type.dtype;
    const auto producer = m_uses.producer(id);
    if (producer) {
        const Node& node = m_group.nodes[*producer];
        if (const auto source = throughView(m_group, node, id, at))
            return value(node.tensor("self"), *source, loop);
    }
    Loop* scope = withinRow(at) ? loop : nullptr;
    const std::string key = keyOf(id, at);
    if (const auto name = known(key, type, scope))
        return *name;
    return named(key, type, computed(id, at, scope), scope);
}

std::string KernelWriter::computed(ValueId id, const Coordinates& at, Loop* loop)
{
    const auto producer = m_uses.producer(id);
    if (!producer)
        return loaded(id, at, loop);
    const Node& node = m_group.nodes[*producer];
    if (m_product != nullptr && m_product->node == *producer)
        return multiplied(node, at, loop);
    if (const auto call = rowCallOf(m_group, node)) {
        const bool keepsPlaces =
            call->operation == RowOperation::LayerNorm || call->operation == RowOperation::RmsNorm;
        return keepsPlaces ? normalized(node, *call, at, loop) : ofRow(node, *call, at);
    }
    return isJoin(node) ? joined(node, at, loop) : ofElement(node, at, loop);
}

std::string KernelWriter::loaded(ValueId id, const Coordinates& at, Loop* loop)
{
    const Value& value = m_group.value(id);
    if (value.kind == ValueKind::Constant) {
        const Coordinate place = linear(at, denseStrides(value.type.shape));
        const std::vector<double>& numbers = m_group.constants.at(id);
        if (!isFloating(value.type.dtype) || value.type.elementCount() > kMostConstants) {
            fail("a constant of whole numbers, or of many");
            return kNothing;
        }
        return place.isNumber() ? literal(numbers[static_cast<std::size_t>(place.number)])
                                : fmt::format("qs_constant{}[{}]", id, place.code());
    }
    const auto input = std::find(m_group.inputs.begin(), m_group.inputs.end(), id);
    if (input == m_group.inputs.end()) {
        fail("a value that no operation makes");
        return kNothing;
    }
    const auto index = static_cast<std::size_t>(input - m_group.inputs.begin());
    const Coordinate place = linear(at, m_strides[index]);
    const auto pack = loop != nullptr && value.type.elementCount() % m_frame.shape.width == 0
                          ? packOf(place, m_frame.shape.width)
                          : std::nullopt;
    return opened(pack ? packed(index, *pack, *loop) : fmt::format("x{}[{}]", index, place.code()),
                  value.type.dtype);
}

// What the units of the GPU have added up for this place, with the scales that are part of the
// product.
std::string KernelWriter::multiplied(const Node& node, const Coordinates& at, Loop* loop)
{
    const TensorType& type = m_group.value(node.outputs.front()).type;
    const Coordinate row = rowAt("r", m_frame.rows->count);
    const std::string here = toText({linear(at, denseStrides(type.shape))});
    std::string text;
    for (std::int64_t half = 0; half < m_product->halves && loop != nullptr; ++half) {
        const Coordinate first = linear({row, place()}, {m_product->b.rows, 1});
        if (here == toText({plus(first, half * m_frame.length)}))
            text = fmt::format("acc[{}][j]", half);
    }
    if (text.empty()) {
        fail("a product that is read in another order");
        return kNothing;
    }
    for (const char* scale : {"scale_a", "scale_b"}) {
        if (const ValueId id = node.tensor(scale); id >= 0)
            text = fmt::format("({} * {})", text,
                               value(id, broadcast(at, m_group.value(id).type.shape), loop));
    }
    if (const ValueId bias = node.tensor("bias"); bias >= 0)
        text = fmt::format("{} + {}", text, value(bias, {at.back()}, loop));
    return rounded(text, !isFloating(type.dtype), type.dtype);
}

// Read once for all neighbouring elements that a thread takes.
std::string KernelWriter::packed(std::size_t input, const Pack& pack, Loop& loop)
{
    const std::string begin = fmt::format("x{} + {}", input, pack.begin.code());
    auto found = loop.packs.find(begin);
    if (found == loop.packs.end()) {
        const std::string name = fmt::format("p{}", m_names++);
        const DType type = m_group.value(m_group.inputs[input]).type.dtype;
        loop.reads.push_back({fmt::format("qs_pack<{}, {}>", storedType(type), m_frame.shape.width),
                              name, begin, pack.begin.byRow()});
        found = loop.packs.emplace(begin, name).first;
    }
    return fmt::format("{}.at[{}]", found->second, pack.place);
}

// One of the parts, chosen by the coordinate along which they were put together.
std::string KernelWriter::joined(const Node& node, const Coordinates& at, Loop* loop)
{
    const bool stacks = node.operation->name == "aten::stack";
    const auto& parts = std::get<ValueRefs>(*node.find("tensors"));
    const std::size_t axis = axisOf(node, "dim", at.size(), 0);
    std::int64_t begin = 0;
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::int64_t extent = stacks ? 1 : m_group.value(parts[i].id).type.shape[axis];
        const std::int64_t end = begin + extent;
        Coordinates within = at;
        if (stacks)
            within.erase(within.begin() + static_cast<std::ptrdiff_t>(axis));
        else if (at[axis].isNumber())
            within[axis] =
                numberAt(std::clamp<std::int64_t>(at[axis].number - begin, 0, extent - 1));
        else
            within[axis] =
                expressionAt(fmt::format("qs_within({}, {}, {})", at[axis].code(), begin, end),
                             extent, at[axis]);
        const bool here =
            !at[axis].isNumber() || (at[axis].number >= begin && at[axis].number < end);
        if (here) {
            const std::string part = value(parts[i].id, within, loop);
            const bool last = i + 1 == parts.size() || at[axis].isNumber();
            text += last ? part : fmt::format("{} < {} ? {} : ", at[axis].code(), end, part);
        }
        begin = end;
    }
    return text;
}

std::string KernelWriter::ofElement(const Node& node, const Coordinates& at, Loop* loop)
{
    if (const auto code = ofCode(node, at, loop))
        return *code;
    const DType type = m_group.value(node.outputs.front()).type.dtype;
    std::vector<std::string> operands;
    bool whole = !isFloating(type);
    for (const ValueId id : node.inputs()) {
        const TensorType& operand = m_group.value(id).type;
        const std::string name = value(id, broadcast(at, operand.shape), loop);
        const bool widens =
            isFloating(type) && !isFloating(operand.dtype) && operand.dtype != DType::Bool;
        operands.push_back(widens ? "(float)" + name : name);
        whole = whole && !isFloating(operand.dtype);
    }
    const auto expression = elementExpression(m_group, node, operands, m_division);
    if (!expression) {
        fail(node.operation->fullName() + " has no form in kernels");
        return kNothing;
    }
    if (keepsNarrow(m_group, node))
        return *expression;
    return rounded(ofRowDivisor(node, operands, at, loop).value_or(*expression), whole, type);
}

}  // namespace qs::core
