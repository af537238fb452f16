#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qs::core::packaged {

// As many bytes of a library as are looked at.
inline constexpr std::size_t kElfHeaderBytes = 64;

// Ok if a file of that size which begins with these bytes can be a shared library for this machine
// (ELF, 64 bits, its processor). Else what it is, as "is …": nothing of it is loaded.
[[nodiscard]] Status checkLibrary(std::string_view header, std::uint64_t bytes);

}  // namespace qs::core::packaged
