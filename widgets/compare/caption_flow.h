#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

namespace qs::widgets {

// Lines of at most `width` pixels. A text is broken between its parts ("SSIM 0.99 · PSNR 41 dB" at
// the dot), a part that alone is wider between its words; only a word that is wider is shortened.
[[nodiscard]] QStringList flowed(const QString& text, const QFontMetrics& metrics, int width);

}  // namespace qs::widgets
