#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace qs::core {

// Element types of a safetensors file, spelled as in the file. The order is that of the format: by
// rising alignment; a writer stores the last types first, so that every tensor is aligned for its
// type.
enum class StoredType : std::uint8_t {
    BOOL,
    F4,
    F6_E2M3,
    F6_E3M2,
    U8,
    I8,
    F8_E5M2,
    F8_E4M3,
    F8_E8M0,
    F8_E4M3FNUZ,
    F8_E5M2FNUZ,
    I16,
    U16,
    F16,
    BF16,
    I32,
    U32,
    F32,
    C64,
    F64,
    I64,
    U64,
};

[[nodiscard]] std::string_view toString(StoredType type);
// Nothing if the format has no such type; the case of letters matters.
[[nodiscard]] std::optional<StoredType> storedTypeFromText(std::string_view text);
// Bits of one element; F4 and F6 are packed, so a tensor of them need not fill whole bytes per
// element.
[[nodiscard]] std::uint64_t bitsOf(StoredType type);
// The types that weights can be loaded from: F64, F32, F16 and BF16.
[[nodiscard]] bool isLoadable(StoredType type);

}  // namespace qs::core
