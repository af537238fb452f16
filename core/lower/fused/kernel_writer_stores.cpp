#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/through_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace qs::core {

void KernelWriter::writeOutputs()
{
    Loop& loop = m_loops.emplace_back();
    const std::string rowStores = settled(loop, [&] { return stores(loop); });
    endLoop(loop);
    m_between += rowStores;
}

// From one row of the frame to the next, of an output with as many elements.
std::int64_t KernelWriter::pitchOf(const TensorType& type) const
{
    const std::int64_t pitch = rowPitch(type, m_frame.rows);
    return m_product == nullptr && !type.shape.empty() && pitch != type.shape.back()
               ? pitch
               : m_frame.length;
}

// Whether its elements lie as they are computed.
bool KernelWriter::liesDensely(std::size_t output) const
{
    const auto write = writeOf(m_group, m_group.outputs[output]);
    const auto input = writtenInput(m_group, output);
    return !write || (write->index < 0 && input &&
                      m_strides[*input] == denseStrides(m_group.value(write->into).type.shape));
}

KernelWriter::Target KernelWriter::targetOf(std::size_t output, const Coordinates& at)
{
    if (const auto write = writeOf(m_group, m_group.outputs[output]))
        return targetOf(*write, output, at);
    const TensorType& type = m_group.value(m_group.outputs[output]).type;
    const std::string row = m_frame.rows ? fmt::format("r * {} + ", pitchOf(type)) : "";
    return {fmt::format("y{} + {}i", output, row)};
}

// Neighbours go to one place along the axis of the index, and stay neighbours.
KernelWriter::Target KernelWriter::targetOf(const MemoryWrite& write, std::size_t output,
                                            const Coordinates& at)
{
    const auto width = std::int64_t{m_frame.shape.width};
    const auto input = writtenInput(m_group, output);
    Target target;
    Coordinates into = at;
    if (write.index >= 0) {
        Coordinate& along = into[write.axis];
        const auto moves = [&](const Coordinate::Term& term) {
            return term.atom.withinRow && term.atom.divisor % width != 0;
        };
        const auto index = placeInInput(m_uses, m_strides, write.index, {along});
        if (!index || std::any_of(along.terms.begin(), along.terms.end(), moves)) {
            fail("neighbours that are written to several places");
            return target;
        }
        const std::int64_t extent = m_group.value(write.into).type.shape[write.axis];
        const std::string code =
            fmt::format("(qs_index)x{}[{}]", index->input, index->place.code());
        // The GPU's own check would end the process; outside there is nothing of ours.
        target.condition += fmt::format(" && x{0}[{1}] >= 0 && x{0}[{1}] < {2}", index->input,
                                        index->place.code(), extent);
        along = {.terms = {{{.variable = code, .bound = extent, .byRow = true}, 1}}};
    }
    const Coordinate place = input ? linear(into, m_strides[*input]) : numberAt(0);
    const auto pack = packOf(place, width);
    if (!input || (width > 1 && (!pack || !pack->inOrder())))
        fail("neighbours that are written apart");
    target.begin = fmt::format("y{} + {}", output, place.code());
    return target;
}

// Into the loop; those of one element for each row are returned.
std::string KernelWriter::stores(Loop& loop)
{
    const Coordinate row = rowAt("r", m_frame.rows ? m_frame.rows->count : 1);
    std::string rowStores;
    for (std::size_t i = 0; i < m_group.outputs.size(); ++i) {
        const ValueId id = storedBy(m_group, m_group.outputs[i]);
        const TensorType& type = m_group.value(id).type;
        const std::int64_t count = type.elementCount();
        const bool dense = liesDensely(i);
        if (count == (m_frame.rows ? m_frame.rows->count * m_frame.length : m_frame.length)) {
            const Coordinates at =
                m_frame.rows
                    ? reshaped({row, place()}, {m_frame.rows->count, m_frame.length}, type.shape)
                    : reshaped({place()}, {m_frame.length}, type.shape);
            const std::string y = value(id, at, &loop);
            const std::string pack =
                fmt::format("qs_pack<{}, {}>", storedType(type.dtype), m_frame.shape.width);
            loop.heads += fmt::format("        {} q{};\n", pack, i);
            // Stored, it is rounded again: by then the first time is of no use.
            const auto exact = m_exact.find(y);
            loop.body += fmt::format("            q{}.at[j] = {};\n", i,
                                     closedResult(id, exact != m_exact.end() ? exact->second : y));
            const Target target = targetOf(i, at);
            loop.tails += fmt::format("        if ({}) *({}*)({}) = q{};\n", target.condition, pack,
                                      target.begin, i);
        } else if (m_frame.rows && count == m_frame.rows->count && dense) {
            const std::string y =
                value(id, reshaped({row}, {m_frame.rows->count}, type.shape), nullptr);
            rowStores += fmt::format("    if (QS_ACTIVE && lane == 0) y{}[r] = {};\n", i,
                                     closed(y, type.dtype));
        } else if (count == 1 && m_product == nullptr && dense) {
            const Coordinates only(type.shape.size(), numberAt(0));
            rowStores += fmt::format("    if (qs_block() == 0 && qs_thread() == 0) y{}[0] = {};\n",
                                     i, closed(value(id, only, nullptr), type.dtype));
        } else {
            fail("results of several sizes");
        }
    }
    return rowStores;
}

}  // namespace qs::core
