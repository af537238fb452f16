#include "core/model/tensor_file.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/npy_header.h"
#include "core/model/safetensors/safetensors.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMostTensorText = std::uint64_t{64} << 20U;
constexpr const char* kUnequal =
    "its samples hold different counts of token ids; pad them to one length";

Error unreadable(const FilePlace& place, const std::string& why)
{
    return {ErrorCode::Format, place.string() + ": " + why};
}

// Whose bits are those of a float16.
struct Half {
    std::uint16_t bits;
};
struct BrainFloat {
    std::uint16_t bits;
};

float toFloat(double value)
{
    return static_cast<float>(value);
}

float toFloat(BrainFloat value)
{
    return std::bit_cast<float>(std::uint32_t{value.bits} << 16U);
}

float toFloat(Half value)
{
    const std::uint32_t sign = std::uint32_t{value.bits & 0x8000U} << 16U;
    const std::uint32_t exponent = (value.bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = value.bits & 0x3FFU;
    if (exponent == 0x1FU)
        return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13U));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? small : -small;
}

template <typename From>
Result<HostTensor> floats(std::span<const std::byte> bytes, std::vector<std::int64_t> shape)
{
    std::vector<float> values(bytes.size() / sizeof(From));
    for (std::size_t i = 0; i < values.size(); ++i) {
        From value{};
        std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
        values[i] = toFloat(value);
    }
    return HostTensor{std::move(shape), std::move(values)};
}

template <typename From>
Result<HostTensor> wholes(std::span<const std::byte> bytes, std::vector<std::int64_t> shape)
{
    std::vector<std::int64_t> values(bytes.size() / sizeof(From));
    for (std::size_t i = 0; i < values.size(); ++i) {
        From value{};
        std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
        if (!std::in_range<std::int64_t>(value))
            return Error{ErrorCode::Format, "a value is beyond 64 bits with a sign"};
        values[i] = static_cast<std::int64_t>(value);
    }
    return HostTensor{std::move(shape), std::move(values)};
}

// One row for each type that can be read, by the names of both formats.
struct ElementType {
    std::string_view npy;
    std::string_view safetensors;
    std::uint64_t bytes;
    Result<HostTensor> (*convert)(std::span<const std::byte>, std::vector<std::int64_t>);
};

constexpr ElementType kTypes[] = {
    {"<f8", "F64", 8, floats<double>},        {"<f4", "F32", 4, floats<float>},
    {"<f2", "F16", 2, floats<Half>},          {"", "BF16", 2, floats<BrainFloat>},
    {"<i8", "I64", 8, wholes<std::int64_t>},  {"<i4", "I32", 4, wholes<std::int32_t>},
    {"<i2", "I16", 2, wholes<std::int16_t>},  {"|i1", "I8", 1, wholes<std::int8_t>},
    {"<u8", "U64", 8, wholes<std::uint64_t>}, {"<u4", "U32", 4, wholes<std::uint32_t>},
    {"<u2", "U16", 2, wholes<std::uint16_t>}, {"|u1", "U8", 1, wholes<std::uint8_t>},
    {"|b1", "BOOL", 1, wholes<std::uint8_t>},
};

const ElementType* findType(std::string_view ElementType::*format, std::string_view name)
{
    for (const ElementType& type : kTypes) {
        if (!name.empty() && type.*format == name)
            return &type;
    }
    return nullptr;
}

Result<HostTensor> readNpyFile(const FilePlace& place)
{
    auto opened = openNpyFile(place);
    if (!opened.ok())
        return opened.error().code == ErrorCode::Format
                   ? unreadable(place, "not a .npy file: " + opened.error().message)
                   : opened.error();
    const NpyFile& npy = opened.value();
    const ElementType* type = findType(&ElementType::npy, npy.type);
    if (type == nullptr)
        return unreadable(place, "values of the type \"" + npy.type +
                                     "\" cannot be read; numbers of little-endian types can");
    if (npy.count > kMostBytes / type->bytes)
        return unreadable(place, "more than 1 GiB");
    if (npy.dataBytes != npy.count * type->bytes)
        return unreadable(place, "its shape " + npyShapeText(npy.shape) + " does not match " +
                                     std::to_string(npy.dataBytes) + " bytes of data");
    std::vector<std::byte> bytes(npy.dataBytes);
    QS_RETURN_IF_ERROR(readExactlyAt(npy.file, bytes, npy.dataStart, place.path()));
    auto read = type->convert(bytes, npy.shape);
    return read.ok() ? std::move(read) : unreadable(place, read.error().message);
}

Result<HostTensor> readSafetensors(const FilePlace& place, const std::string& tensor)
{
    QS_TRY(const SafetensorsFile file, openSafetensors(place.path()));
    const TensorEntry* entry = file.find(tensor);
    if (tensor.empty() && file.tensors().size() == 1)
        entry = &file.tensors().front();
    if (entry == nullptr)
        return unreadable(place, tensor.empty() ? "several tensors; say which with PATH#NAME"
                                                : "has no tensor \"" + tensor + "\"");
    const ElementType* type = findType(&ElementType::safetensors, toString(entry->dtype));
    if (type == nullptr || entry->bytes() > kMostBytes)
        return unreadable(place,
                          type == nullptr ? "its type cannot be an input" : "more than 1 GiB");
    std::vector<std::byte> bytes(entry->bytes());
    QS_RETURN_IF_ERROR(file.read(*entry, bytes));
    auto read = type->convert(bytes, {entry->shape.begin(), entry->shape.end()});
    return read.ok() ? std::move(read) : unreadable(place, read.error().message);
}

// The numbers of a line, with spaces or commas between them.
bool readLine(std::string_view line, std::vector<std::int64_t>& values)
{
    while (true) {
        const auto next = line.find_first_not_of(" ,\t\r");
        if (next == std::string_view::npos)
            return true;
        line.remove_prefix(next);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc())
            return false;
        values.push_back(value);
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
}

Result<HostTensor> readTokenLines(const FilePlace& place)
{
    QS_TRY(const std::string text, readTextFile(place, kMostTensorText));
    std::vector<std::int64_t> values;
    std::int64_t lines = 0;
    std::size_t width = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const auto end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        const std::size_t before = values.size();
        if (!readLine(line, values))
            return unreadable(place, "line " + std::to_string(lines + 1) +
                                         " holds something else than whole numbers");
        if (values.size() == before)
            continue;
        if (lines++ > 0 && values.size() - before != width)
            return unreadable(place, kUnequal);
        width = values.size() - before;
    }
    if (values.empty())
        return unreadable(place, "holds no token ids");
    return HostTensor{{lines, static_cast<std::int64_t>(width)}, std::move(values)};
}

// The whole numbers of one list.
bool readList(const Json& list, std::vector<std::int64_t>& values)
{
    for (const Json& each : list) {
        if (!each.is_number_integer() ||
            (each.is_number_unsigned() && !std::in_range<std::int64_t>(each.get<std::uint64_t>())))
            return false;
        values.push_back(each.get<std::int64_t>());
    }
    return list.is_array();
}

// "[[1, 2], [3, 4]]", a list for each sample.
Result<HostTensor> readTokenLists(const FilePlace& place)
{
    QS_TRY(const Json samples,
           readJsonFile(place, {.bytes = kMostTensorText, .nodes = kMostTensorText / 4}));
    if (!samples.is_array() || samples.empty())
        return unreadable(place, "expected a list of samples, each a list of token ids");
    std::vector<std::int64_t> values;
    std::size_t width = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::size_t before = values.size();
        if (!readList(samples[i], values) || values.size() == before)
            return unreadable(place, "$[" + std::to_string(i) +
                                         "]: expected a list of token ids, whole numbers");
        if (i > 0 && values.size() - before != width)
            return unreadable(place, kUnequal);
        width = values.size() - before;
    }
    return HostTensor{{static_cast<std::int64_t>(samples.size()), static_cast<std::int64_t>(width)},
                      std::move(values)};
}

}  // namespace

Result<HostTensor> readTensorFile(const FilePlace& place, const std::string& tensor)
{
    const std::string ending = place.path().extension().string();
    if (ending == ".safetensors")
        return readSafetensors(place, tensor);
    if (ending == ".txt")
        return readTokenLines(place);
    if (ending == ".json")
        return readTokenLists(place);
    return readNpyFile(place);
}

std::string encodeNpy(const HostTensor& tensor)
{
    const bool whole = std::holds_alternative<std::vector<std::int64_t>>(tensor.values);
    std::string bytes = npyHeader(tensor.shape, 64, whole ? "<i8" : "<f4");
    std::visit(
        [&](const auto& values) {
            const auto data = std::as_bytes(std::span(values));
            bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
        },
        tensor.values);
    return bytes;
}

Result<HostTensor> asWhole(HostTensor tensor, bool whole)
{
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&tensor.values);
    if (whole && integers == nullptr)
        return Error{ErrorCode::InvalidArgument, "takes whole numbers, and is fed with others"};
    if (whole || integers == nullptr)
        return tensor;
    std::vector<float> values(integers->begin(), integers->end());
    return HostTensor{std::move(tensor.shape), std::move(values)};
}

}  // namespace qs::core
