#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace qs::core {

enum class DType {
    Float32,
    Float16,
    BFloat16,
    Float8E4M3,
    Int8,
    UInt8,
    Int32,
    Int64,
    Bool,
    Float64
};

// "float32", "bfloat16" … as PyTorch prints them.
[[nodiscard]] std::string_view name(DType dtype);
[[nodiscard]] std::optional<DType> parseDType(std::string_view name);
[[nodiscard]] std::int64_t byteSize(DType dtype);
[[nodiscard]] bool isFloating(DType dtype);

}  // namespace qs::core
