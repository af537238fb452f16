#include "core/graph/dtype.h"

#include "core/base/checks.h"

#include <array>

namespace qs::core {

namespace {

struct Row {
    DType dtype;
    std::string_view name;
    std::int64_t bytes;
    bool floating;
};

constexpr std::array<Row, 10> kTable{{{DType::Float32, "float32", 4, true},
                                      {DType::Float16, "float16", 2, true},
                                      {DType::BFloat16, "bfloat16", 2, true},
                                      {DType::Float8E4M3, "float8_e4m3fn", 1, true},
                                      {DType::Int8, "int8", 1, false},
                                      {DType::UInt8, "uint8", 1, false},
                                      {DType::Int32, "int32", 4, false},
                                      {DType::Int64, "int64", 8, false},
                                      {DType::Bool, "bool", 1, false},
                                      {DType::Float64, "float64", 8, true}}};

const Row& row(DType dtype)
{
    const Row& found = kTable[static_cast<std::size_t>(dtype)];
    QS_ASSERT(found.dtype == dtype);
    return found;
}

}  // namespace

std::string_view name(DType dtype)
{
    return row(dtype).name;
}

std::optional<DType> parseDType(std::string_view name)
{
    for (const Row& candidate : kTable) {
        if (candidate.name == name)
            return candidate.dtype;
    }
    return std::nullopt;
}

std::int64_t byteSize(DType dtype)
{
    return row(dtype).bytes;
}

bool isFloating(DType dtype)
{
    return row(dtype).floating;
}

}  // namespace qs::core
