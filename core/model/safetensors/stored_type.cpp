#include "core/model/safetensors/stored_type.h"

#include <array>
#include <cstddef>

namespace qs::core {

namespace {

struct TypeRow {
    std::string_view text;
    std::uint64_t bits;
};

// In the order of the enumeration.
constexpr std::array<TypeRow, 22> kTypes{{
    {"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
    {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
    {"I64", 64},        {"U64", 64},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(StoredType::U64) + 1);

}  // namespace

std::string_view toString(StoredType type)
{
    return kTypes[static_cast<std::size_t>(type)].text;
}

std::optional<StoredType> storedTypeFromText(std::string_view text)
{
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        if (kTypes[i].text == text)
            return static_cast<StoredType>(i);
    }
    return std::nullopt;
}

std::uint64_t bitsOf(StoredType type)
{
    return kTypes[static_cast<std::size_t>(type)].bits;
}

bool isLoadable(StoredType type)
{
    return type == StoredType::F64 || type == StoredType::F32 || type == StoredType::F16 ||
           type == StoredType::BF16;
}

}  // namespace qs::core
