#include "core/lower/fused/kernel_text.h"

#include "core/lower/fused/element_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace qs::core {

namespace {

constexpr int kSmallBlock = 256;
// Elements of a row that one thread may keep of a value; those of large blocks have fewer
// registers.
constexpr int kMostKept = 32;
constexpr int kMostKeptInLarge = 16;

std::string loopText(const KernelFrame& frame, const KernelLoop& loop)
{
    std::string reads;
    for (const KernelRead& read : loop.reads)
        reads += fmt::format("        const {0} {1} = *(const {0}*)({2});\n", read.type, read.name,
                             read.address);
    const std::int64_t step = std::int64_t{frame.shape.threads} * frame.shape.width;
    const std::string begin =
        frame.rows ? fmt::format("(c * {} + lane) * {}", frame.shape.threads, frame.shape.width)
                   : fmt::format("((qs_block() * {} + c) * {} + lane) * {}", frame.shape.chunks,
                                 frame.shape.threads, frame.shape.width);
    const bool fits = frame.length % (frame.rows ? step : step * frame.shape.chunks) == 0;
    return fmt::format(
        "    #pragma unroll {}\n    for (qs_index c = 0; c < {}; ++c) {{\n"
        "        const qs_index first = {};\n{}        [[maybe_unused]] const qs_index i = "
        "first;\n{}"
        "        #pragma unroll\n        for (qs_index j = 0; j < {}; ++j) {{\n"
        "            [[maybe_unused]] const qs_index i = first + j;\n{}{}        }}\n{}    }}\n",
        keepsElements(frame.shape) ? frame.shape.chunks : 2, frame.shape.chunks, begin,
        fits ? std::string() : fmt::format("        if (first >= {}) break;\n", frame.length),
        reads + loop.heads, frame.shape.width, loop.body, loop.keeps, loop.tails);
}

// Large blocks ask for room for others beside them, or registers leave a processor half empty: on
// an H100 rows of 2,736 gates took 205 µs without it and 143 µs with it.
std::string launchBounds(const KernelShape& shape)
{
    constexpr int kThreadsWanted = 1536;  // of a processor, which holds 2,048
    const int threads = shape.threads * shape.rowsPerBlock;
    return threads <= kSmallBlock
               ? fmt::format("{}", threads)
               : fmt::format("{}, {}", threads, std::max(1, kThreadsWanted / threads));
}

using ParameterText = std::string (*)(char letter, std::size_t index, const std::string& type);

std::string joinParameters(const KernelFrame& frame, const char* separator, ParameterText text)
{
    std::string joined;
    const auto add = [&](char letter, std::size_t i, ValueId id, const char* qualifier) {
        const std::string type =
            qualifier + std::string(storedType(frame.group.value(id).type.dtype));
        joined += (joined.empty() ? "" : separator) + text(letter, i, type);
    };
    for (std::size_t i = 0; i < frame.group.inputs.size(); ++i)
        add('x', i, frame.group.inputs[i], "const ");
    for (std::size_t i = 0; i < frame.group.outputs.size(); ++i)
        add('y', i, frame.group.outputs[i], "");
    return joined;
}

// Pointers as they are used: sixteen bytes are read and written at once.
std::string alignedPointers(const KernelFrame& frame)
{
    return joinParameters(frame, "", [](char letter, std::size_t i, const std::string& type) {
        return fmt::format(
            "    {0}* __restrict__ {1}{2} = ({0}*)__builtin_assume_aligned({1}{2}_, 16);\n", type,
            letter, i);
    });
}

std::string signatureOf(const KernelFrame& frame)
{
    return fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}({})\n{{\n"
                       "    qs_begin();\n{}",
                       launchBounds(frame.shape), frame.name, parametersOf(frame),
                       alignedPointers(frame));
}

// By a function of the prelude; numbers that are held as they are stored need none.
std::string converted(const char* function, const std::string& number, DType type)
{
    const std::string_view narrow = type == DType::BFloat16     ? "bf16"
                                    : type == DType::Float16    ? "f16"
                                    : type == DType::Float8E4M3 ? "e4m3"
                                                                : "";
    return narrow.empty() ? number : fmt::format("{}{}({})", function, narrow, number);
}

// Which row and which part of it a thread has.
std::string placeInRows(const KernelFrame& frame)
{
    std::string text;
    if (frame.rows) {
        text += fmt::format("    const qs_index lane = qs_thread() % {0};\n"
                            "    qs_index r = qs_block() * {1} + qs_thread() / {0};\n",
                            frame.shape.threads, frame.shape.rowsPerBlock);
        text +=
            frame.rows->count % frame.shape.rowsPerBlock == 0
                ? "#define QS_ACTIVE true\n"
                : fmt::format("    const bool active = r < {0};\n    if (!active) r = {0} - 1;\n"
                              "#define QS_ACTIVE active\n",
                              frame.rows->count);
    } else {
        text += "    const qs_index lane = qs_thread();\n#define QS_ACTIVE true\n";
    }
    return text;
}

}  // namespace

std::int64_t reachOf(const Graph& group, const InputStrides& strides)
{
    std::int64_t most = 0;
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const std::vector<std::int64_t>& shape = group.value(group.inputs[i]).type.shape;
        std::int64_t last = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            last += (shape[axis] - 1) * strides[i][axis];
        most = std::max(most, last + 1);
    }
    return most;
}

std::string declarations(const KernelFrame& frame)
{
    std::int64_t most = frame.length * (frame.rows ? frame.rows->count : 1);
    most = std::max(most, frame.reach);
    for (const Value& each : frame.group.values)
        most = std::max(most, each.type.elementCount());
    const bool wide = most > std::numeric_limits<std::int32_t>::max();
    std::string text = fmt::format("typedef unsigned {}qs_index;\n", wide ? "long long " : "");
    for (const auto& [id, numbers] : frame.group.constants) {
        if (numbers.size() < 2 || !isFloating(frame.group.value(id).type.dtype))
            continue;
        std::string list;
        for (const double number : numbers)
            list += literal(number) + ", ";
        text += fmt::format("__device__ const float qs_constant{}[] = {{{}}};\n", id, list);
    }
    return text;
}

bool keepsElements(const KernelShape& shape)
{
    const bool isSmall = shape.threads * shape.rowsPerBlock <= kSmallBlock;
    return shape.chunks * shape.width <= (isSmall ? kMostKept : kMostKeptInLarge);
}

std::string opened(const std::string& stored, DType type)
{
    return converted("qs_from_", stored, type);
}

std::string closed(const std::string& held, DType type)
{
    return converted("qs_to_", held, type);
}

std::string_view storedType(DType type)
{
    switch (type) {
    case DType::Float32:
        return "float";
    case DType::Float16:
    case DType::BFloat16:
        return "unsigned short";
    case DType::Int8:
        return "signed char";
    case DType::Float8E4M3:
    case DType::UInt8:
    case DType::Bool:
        return "unsigned char";
    case DType::Int32:
        return "int";
    case DType::Int64:
        return "long long";
    case DType::Float64:
        break;
    }
    return "double";
}

std::int64_t rowPitch(const TensorType& type, const std::optional<Rows>& rows)
{
    if (type.shape.empty())
        return 1;
    const std::int64_t length = type.shape.back();
    const bool inRows =
        rows && rows->length == length && type.elementCount() == rows->count * length;
    return inRows && byteSize(type.dtype) == 1 ? linePitch(length) : length;
}

std::string parametersOf(const KernelFrame& frame)
{
    return joinParameters(frame, ", ", [](char letter, std::size_t i, const std::string& type) {
        return fmt::format("{}* __restrict__ {}{}_", type, letter, i);
    });
}

std::string argumentsOf(const KernelFrame& frame)
{
    return joinParameters(frame, ", ", [](char letter, std::size_t i, const std::string&) {
        return fmt::format("{}{}_", letter, i);
    });
}

namespace {

// A struct of what is read, and a function that reads it.
class Reader final
{
public:
    void add(const KernelRead& read, const std::string& expression)
    {
        m_members += fmt::format("    {} {};\n", read.type, read.name);
        m_taken += fmt::format("    reads.{} = {};\n", read.name, expression);
        m_given += fmt::format("    const {0}& {1} = {{0}}.{1};\n", read.type, read.name);
    }
    [[nodiscard]] std::string text(const std::string& type, const std::string& function,
                                   const std::string& place, const std::string& before) const
    {
        return fmt::format("struct {0} {{\n{1}}};\n"
                           "__device__ __forceinline__ {0} {2}({3})\n{{\n{4}    {0} reads;\n{5}"
                           "    return reads;\n}}\n",
                           type, m_members, function, place, before, m_taken);
    }
    // The names for what an object of the struct holds.
    [[nodiscard]] std::string names(const std::string& object) const
    {
        return fmt::format(fmt::runtime(m_given), object);
    }

private:
    std::string m_members;
    std::string m_taken;
    std::string m_given;
};

}  // namespace

std::string finishText(const KernelFrame& frame, const std::vector<KernelPart>& parts,
                       const std::vector<KernelRead>& known)
{
    const KernelLoop& loop = *parts.front().loop;
    Reader row;
    Reader columns;
    Reader both;
    for (const KernelRead& each : known)
        row.add(each, each.name);
    for (const KernelRead& each : loop.reads)
        (each.byRow ? both : columns)
            .add(each, fmt::format("*(const {}*)({})", each.type, each.address));
    const std::string parameters = parametersOf(frame);
    const std::string pointers = alignedPointers(frame);
    const std::string r = "const qs_index r, ";
    const std::string first = "const qs_index first, ";
    const std::string i = "    [[maybe_unused]] const qs_index i = first;\n";
    return declarations(frame) +
           row.text("qs_row_reads", "qs_read_row", r + parameters,
                    pointers + parts.front().before) +
           columns.text("qs_column_reads", "qs_read_columns", first + parameters, pointers + i) +
           both.text("qs_reads", "qs_read", r + first + parameters, pointers + i) +
           fmt::format(
               "__device__ __forceinline__ void qs_finish({}const qs_sum (&acc)[kHalves][{}], "
               "const qs_row_reads& row, const qs_column_reads& columns, const qs_reads& reads, "
               "{})\n"
               "{{\n{}#define QS_ACTIVE true\n{}{}    #pragma unroll\n"
               "    for (qs_index j = 0; j < {}; ++j) {{\n"
               "        [[maybe_unused]] const qs_index i = first + j;\n{}    }}\n{}}}\n",
               r + first, frame.shape.width, parameters, pointers,
               i + row.names("row") + columns.names("columns") + both.names("reads"), loop.heads,
               frame.shape.width, loop.body, loop.tails);
}

std::string weightText(const KernelFrame& frame, const KernelPart& part,
                       const std::vector<KernelRead>& known)
{
    const KernelLoop& loop = *part.loop;
    Reader row;
    Reader both;
    for (const KernelRead& each : known)
        row.add(each, each.name);
    for (const KernelRead& each : loop.reads)
        both.add(each, fmt::format("*(const {}*)({})", each.type, each.address));
    const std::string parameters = parametersOf(frame);
    const std::string pointers = alignedPointers(frame);
    const std::string r = "const qs_index r, ";
    const std::string first = "const qs_index first, ";
    const std::string i = "    [[maybe_unused]] const qs_index i = first;\n";
    return row.text("qs_weight_row", "qs_read_weight_row", r + parameters, pointers + part.before) +
           both.text("qs_weight_reads", "qs_read_weight", r + first + parameters, pointers + i) +
           fmt::format(
               "__device__ __forceinline__ void qs_widen({}const qs_weight_row& row, const "
               "qs_weight_reads& reads, unsigned (&pairs)[{}], {})\n{{\n{}    float w[{}];\n"
               "    #pragma unroll\n    for (qs_index j = 0; j < {}; ++j) {{\n"
               "        [[maybe_unused]] const qs_index i = first + j;\n{}    }}\n"
               "    #pragma unroll\n    for (int p = 0; p < {}; ++p) pairs[p] = QS_PAIR(w[2 * p], "
               "w[2 * p + 1]);\n}}\n",
               r + first, frame.shape.width / 2, parameters,
               pointers + i + row.names("row") + both.names("reads"), frame.shape.width,
               frame.shape.width, loop.body, frame.shape.width / 2);
}

std::string kernelText(const KernelFrame& frame, const std::vector<KernelPart>& parts,
                       const std::string& arrays)
{
    std::string text = declarations(frame) + signatureOf(frame) + placeInRows(frame) + arrays;
    for (const KernelPart& part : parts)
        text += part.before + (part.loop != nullptr ? loopText(frame, *part.loop) : "");
    return text + "}\n";
}

}  // namespace qs::core
