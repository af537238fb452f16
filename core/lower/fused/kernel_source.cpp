#include "core/lower/fused/kernel_source.h"

#include "core/graph/graph_uses.h"
#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/memory_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace qs::core {

namespace {

constexpr int kWarp = 32;
constexpr int kBlock = 256;  // threads of a block whose rows are short
constexpr int kMostThreads = 1024;
constexpr int kWidth = 8;  // 16 bytes of bf16
constexpr int kFlatChunks = 1;
constexpr std::int64_t kManyRows = 1024;  // that fill a GPU with few threads for each

Error unsupported(std::string why)
{
    return Error{ErrorCode::Unsupported, std::move(why)};
}

int widthOf(std::int64_t length)
{
    int width = kWidth;
    while (length % width != 0)
        width /= 2;
    return width;
}

KernelShape rowShape(const Rows& rows, int threads)
{
    KernelShape shape;
    shape.width = widthOf(rows.length);
    const std::int64_t wanted = std::max<std::int64_t>(1, rows.length / shape.width);
    if (threads > 0)
        shape.threads = threads;
    else if (wanted <= kWarp)
        shape.threads = static_cast<int>(std::bit_ceil(static_cast<unsigned>(wanted)));
    else
        shape.threads = static_cast<int>(
            std::min<std::int64_t>(kMostThreads, (wanted + kWarp - 1) / kWarp * kWarp));
    shape.rowsPerBlock = threads != 1 && shape.threads <= kWarp ? kBlock / shape.threads : 1;
    const std::int64_t step = std::int64_t{shape.threads} * shape.width;
    shape.chunks = static_cast<int>(coveredBy(rows.length, step));
    shape.blocks = coveredBy(rows.count, shape.rowsPerBlock);
    return shape;
}

// Of a row with so many threads by itself, fewer that have two and four times as much of it.
std::vector<int> fewerThreads(const KernelShape& shape, const Rows& rows)
{
    std::vector<int> fewer;
    if (rows.count < kManyRows)
        return fewer;
    for (const int share : {2, 4}) {
        const std::int64_t pieces = coveredBy(rows.length, std::int64_t{shape.width} * share);
        const auto threads = static_cast<int>(roundedUp(pieces, kWarp));
        if (threads < (fewer.empty() ? shape.threads : fewer.back()))
            fewer.push_back(threads);
    }
    return fewer;
}

KernelShape flatShape(std::int64_t count, int threads)
{
    KernelShape shape;
    shape.threads = threads > 0 ? threads : kBlock;
    shape.width = std::min(4, widthOf(count));
    shape.chunks = kFlatChunks;
    const std::int64_t step = std::int64_t{shape.threads} * shape.width * shape.chunks;
    shape.blocks = coveredBy(count, step);
    return shape;
}

// Codes in rows that a product reads from another place than the next free one.
std::optional<Rows> rowsApart(const Graph& group)
{
    for (const ValueId id : group.outputs) {
        const TensorType& type = group.value(id).type;
        if (type.shape.size() < 2 || !isCode(type.dtype) || type.elementCount() == 0)
            continue;
        const std::int64_t length = type.shape.back();
        if (linePitch(length) != length)
            return Rows{type.elementCount() / length, length};
    }
    return std::nullopt;
}

// The rows that all reductions of a group share; without any, those that lie apart, or nothing.
Result<std::optional<Rows>> rowsOf(const Graph& group)
{
    std::optional<Rows> rows;
    for (const Node& node : group.nodes) {
        const auto call = rowCallOf(group, node);
        if (!call)
            continue;
        if (rows && *rows != call->rows)
            return unsupported("rows of several lengths");
        rows = call->rows;
    }
    return rows ? rows : rowsApart(group);
}

bool hasOperation(const Graph& group, std::initializer_list<std::string_view> names)
{
    return std::any_of(group.nodes.begin(), group.nodes.end(), [&](const Node& node) {
        return std::find(names.begin(), names.end(), node.operation->name) != names.end();
    });
}

bool anyCodes(const Graph& group, const std::vector<ValueId>& values)
{
    return std::any_of(values.begin(), values.end(),
                       [&](ValueId id) { return isCode(group.value(id).type.dtype); });
}

// As rotary embedding does with halves that it has turned; scales of groups are joined as they are.
bool joinsComputed(const Graph& group)
{
    const GraphUses uses(group);
    return std::any_of(group.nodes.begin(), group.nodes.end(), [&](const Node& node) {
        const std::string_view name = node.operation->name;
        if ((name != "aten::stack" && name != "aten::cat") ||
            !isFloating(group.value(node.outputs.front()).type.dtype))
            return false;
        const auto parts = node.inputs();
        return std::any_of(parts.begin(), parts.end(), [&](ValueId part) {
            const auto maker = uses.producer(part);
            return maker && isElementwise(group, group.nodes[*maker]);
        });
    });
}

}  // namespace

std::string KernelShape::name() const
{
    const std::string name = fmt::format("t{}", threads);
    return rowsPerBlock == 1 ? name : fmt::format("{}_r{}", name, rowsPerBlock);
}

// The profile tells quantizing kernels by "_round" and "_scale", and what they do back by "_widen".
std::string namedAfter(const Graph& group, std::string name)
{
    if (hasOperation(group, {"aten::rsqrt", "aten::layer_norm", "aten::rms_norm"}))
        name += "_norm";
    if (joinsComputed(group))
        name += "_rope";
    if (hasOperation(group, {"aten::silu", "aten::gelu", "aten::sigmoid"}))
        name += "_gate";
    if (anyCodes(group, group.outputs))
        name += "_round";
    else if (name == "qs" && hasOperation(group, {"aten::amax", "aten::amin"}) &&
             !hasOperation(group, {"aten::exp"}))
        name += "_scale";
    return name;
}

InputStrides denseInputs(const Graph& group)
{
    InputStrides strides;
    for (const ValueId id : group.inputs)
        strides.push_back(denseStrides(group.value(id).type.shape));
    return strides;
}

Result<KernelSource> kernelSource(const Graph& group, const InputStrides& strides,
                                  Division division, int threads)
{
    QS_TRY(const std::optional<Rows> rows, rowsOf(group));
    std::int64_t count = 0;
    for (const ValueId id : group.outputs)
        count = std::max(count, group.value(storedBy(group, id)).type.elementCount());
    if (count == 0)
        return unsupported("nothing to compute");
    const KernelShape shape = rows ? rowShape(*rows, threads) : flatShape(count, threads);
    if (shape.blocks > 0x7fffffff)
        return unsupported("more blocks than a launch takes");
    std::string name = namedAfter(group, anyCodes(group, group.inputs) ? "qs_widen" : "qs");
    if (name == "qs")
        name += "_elementwise";
    const KernelFrame frame{
        group, shape, rows, rows ? rows->length : count, name, reachOf(group, strides)};
    QS_TRY(std::string text, KernelWriter(frame, strides, division).write());
    std::vector<std::int64_t> pitches;
    for (const ValueId id : group.outputs)
        pitches.push_back(rowPitch(group.value(id).type, rows));
    return KernelSource{std::move(text), std::move(name), shape, std::move(pitches)};
}

Result<std::vector<KernelSource>> kernelSources(const Graph& group, const InputStrides& strides,
                                                Division division)
{
    QS_TRY(KernelSource first, kernelSource(group, strides, division));
    std::vector<KernelSource> sources{std::move(first)};
    QS_TRY(const std::optional<Rows> rows, rowsOf(group));
    const std::vector<int> fewer =
        rows ? fewerThreads(sources.front().shape, *rows) : std::vector<int>();
    for (const int threads : fewer) {
        QS_TRY(KernelSource source, kernelSource(group, strides, division, threads));
        sources.push_back(std::move(source));
    }
    return sources;
}

}  // namespace qs::core
