#pragma once

#include "core/base/result.h"

#include <QImage>

#include <filesystem>

namespace qs::widgets {

// The image as a PNG, with the texts that it has. The file appears whole or not at all; any thread.
[[nodiscard]] core::Status writePng(const QImage& image, const std::filesystem::path& path);

}  // namespace qs::widgets
