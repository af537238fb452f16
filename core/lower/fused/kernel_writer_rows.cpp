#include "core/lower/fused/kernel_writer.h"

#include "core/lower/fused/element_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// What a kernel computes of whole rows.
namespace qs::core {

std::string KernelWriter::reduced(RowOperation operation, ValueId source, Coordinates at,
                                  const std::string& centre, const std::string& key)
{
    if (withinRow(at)) {
        fail("rows are read across each other");
        return kNothing;
    }
    if (!m_frame.rows) {
        fail("no rows");
        return kNothing;
    }
    const std::string name = key + toText(at);
    if (const auto found = m_rowNames.find(name); found != m_rowNames.end())
        return found->second;
    at.push_back(place());
    Loop& loop = m_loops.emplace_back();
    const std::string x = settled(loop, [&] { return value(source, at, &loop); });
    const std::string sum = fmt::format("r{}", m_names++);
    const bool sums = operation == RowOperation::Sum;
    const bool most = operation == RowOperation::Maximum;
    if (!sums)
        loop.body += fmt::format("            {0} = {1}({0}, {2});\n", sum,
                                 most ? "qs_larger" : "qs_smaller", x);
    else if (centre.empty())
        loop.body += fmt::format("            {} += {};\n", sum, x);
    else
        loop.body +=
            fmt::format("            {} += ({}) * ({});\n", sum,
                        fmt::format(fmt::runtime(centre), x), fmt::format(fmt::runtime(centre), x));
    const std::string start = sums ? "0.0f" : most ? "-qs_infinity()" : "qs_infinity()";
    m_between += fmt::format("    float {} = {};\n", sum, start);
    endLoop(loop);
    m_between += fmt::format("    {0} = {1}<{2}>({0});\n", sum,
                             sums   ? "qs_row_sum"
                             : most ? "qs_row_larger"
                                    : "qs_row_smaller",
                             m_frame.shape.threads);
    m_rowNames[name] = sum;
    return sum;
}

std::string KernelWriter::ofRow(const Node& node, const RowCall& call, const Coordinates& at)
{
    const DType type = m_group.value(node.outputs.front()).type.dtype;
    Coordinates row = at;
    if (at.size() == m_group.value(call.source).type.shape.size())
        row.pop_back();
    const bool averages = call.operation == RowOperation::Mean;
    const std::string sum =
        reduced(averages ? RowOperation::Sum : call.operation, call.source, row, {},
                fmt::format("{}:{}:", static_cast<int>(call.operation), call.source));
    const std::string share = literal(1.0F / static_cast<float>(call.rows.length));
    return rounded(averages ? sum + " * " + share : sum, false, type);
}

std::string KernelWriter::normalized(const Node& node, const RowCall& call, const Coordinates& at,
                                     Loop* loop)
{
    const double epsilon = std::get<double>(*node.find("eps"));
    const std::string share = literal(1.0 / static_cast<double>(call.rows.length));
    Coordinates row = at;
    row.pop_back();
    std::string centred = "{}";
    const std::string key = fmt::format("norm:{}:", call.source);
    if (call.operation == RowOperation::LayerNorm)
        centred =
            "{} - " + fmt::format("{} * {}",
                                  reduced(RowOperation::Sum, call.source, row, {}, key + "mean:"),
                                  share);
    const std::string squares =
        reduced(RowOperation::Sum, call.source, row, centred, key + centred + ":");
    const std::string x = value(call.source, at, loop);
    std::string text =
        fmt::format("({}) * rsqrtf({} * {} + {})", fmt::format(fmt::runtime(centred), x), squares,
                    share, literal(epsilon));
    if (const ValueId weight = node.tensor("weight"); weight >= 0)
        text = fmt::format("{} * {}", text, value(weight, {at.back()}, loop));
    if (const ValueId bias = node.tensor("bias"); bias >= 0)
        text = fmt::format("{} + {}", text, value(bias, {at.back()}, loop));
    return rounded(text, false, m_group.value(node.outputs.front()).type.dtype);
}

// Reductions that the loop needs are loops before it: the first time they are found, the second
// time the loop is written with what they have kept.
std::string KernelWriter::settled(Loop& loop, const std::function<std::string()>& write)
{
    write();
    loop = {};
    return write();
}

void KernelWriter::endLoop(Loop& loop)
{
    const auto number =
        static_cast<std::size_t>(std::find_if(m_loops.begin(), m_loops.end(),
                                              [&](const Loop& each) { return &each == &loop; }) -
                                 m_loops.begin());
    for (const auto& [key, name] : loop.names)
        m_computedIn.try_emplace(key, number, name);
    m_parts.push_back({std::exchange(m_between, {}), &loop});
}

}  // namespace qs::core
