#include "core/graph/exported/schema.h"

#include "core/base/checks.h"

#include <array>

namespace qs::core::exported {

namespace {

struct NumberedType {
    std::int64_t number;
    std::string_view name;
    std::optional<DType> dtype;
};

constexpr std::array<NumberedType, 18> kTypes{{{1, "uint8", DType::UInt8},
                                               {2, "int8", DType::Int8},
                                               {3, "int16", std::nullopt},
                                               {4, "int32", DType::Int32},
                                               {5, "int64", DType::Int64},
                                               {6, "float16", DType::Float16},
                                               {7, "float32", DType::Float32},
                                               {8, "float64", DType::Float64},
                                               {9, "complex32", std::nullopt},
                                               {10, "complex64", std::nullopt},
                                               {11, "complex128", std::nullopt},
                                               {12, "bool", DType::Bool},
                                               {13, "bfloat16", DType::BFloat16},
                                               {28, "uint16", std::nullopt},
                                               {29, "float8_e4m3fn", DType::Float8E4M3},
                                               {30, "float8_e5m2", std::nullopt},
                                               {31, "float8_e4m3fnuz", std::nullopt},
                                               {32, "float8_e5m2fnuz", std::nullopt}}};

const NumberedType* typeNumbered(std::int64_t number)
{
    for (const NumberedType& row : kTypes) {
        if (row.number == number)
            return &row;
    }
    return nullptr;
}

}  // namespace

std::int64_t scalarTypeOf(DType dtype)
{
    for (const NumberedType& row : kTypes) {
        if (row.dtype == dtype)
            return row.number;
    }
    QS_ASSERT(false);
    return 0;
}

std::optional<DType> dtypeOf(std::int64_t scalarType)
{
    const NumberedType* row = typeNumbered(scalarType);
    return row == nullptr ? std::nullopt : row->dtype;
}

std::string_view scalarTypeName(std::int64_t scalarType)
{
    const NumberedType* row = typeNumbered(scalarType);
    return row == nullptr ? std::string_view() : row->name;
}

}  // namespace qs::core::exported
