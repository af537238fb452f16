#pragma once

#include "core/image/picture.h"

#include <cstddef>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace qs::core {

// Texts that a PNG carries beside its pixels, by keyword.
using PngTexts = std::map<std::string, std::string>;

// The bytes start with the PNG signature.
[[nodiscard]] bool isPng(std::span<const std::byte> bytes);

// Any PNG as RGB. Errors name what is wrong, not the file; Cancelled when stopped.
[[nodiscard]] Result<Picture> decodePng(std::span<const std::byte> bytes,
                                        const std::stop_token& stop = {});
// The texts that stand before the pixels, where encodePng writes them; at most 64 of 4 MiB each.
[[nodiscard]] Result<PngTexts> decodePngTexts(std::span<const std::byte> bytes);
// 8 bits per channel, marked as sRGB; equal input gives equal bytes. Keywords: 1 to 79 printable
// ASCII characters, spaces only single and inside; texts: UTF-8 without NUL. Cancelled when
// stopped.
[[nodiscard]] Result<std::string> encodePng(const Picture& picture, const PngTexts& texts,
                                            const std::stop_token& stop = {});

}  // namespace qs::core
