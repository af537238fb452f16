#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

namespace qs::widgets {

// Lines of at most `width` pixels. A text is broken between its parts ("SSIM 0.99 · PSNR 41 dB" at
// the dot), never inside a number; only a part that alone is wider is shortened.
[[nodiscard]] QStringList flowed(const QString& text, const QFontMetrics& metrics, int width);

}  // namespace qs::widgets
