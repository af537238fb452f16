#pragma once

#include "core/image/picture.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace qs::core {

// The bytes start as every JPEG does.
[[nodiscard]] bool isJpeg(std::span<const std::byte> bytes);

// Grey and colour JPEG as RGB, turned as its Exif orientation says. Damage that the library would
// paper over with grey blocks is an error: a comparison must not be made on half a picture. CMYK
// and arithmetic coding are Unsupported. Cancelled when stopped.
[[nodiscard]] Result<Picture> decodeJpeg(std::span<const std::byte> bytes,
                                         const std::stop_token& stop = {});

}  // namespace qs::core
