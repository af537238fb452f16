#pragma once

#include "core/image/picture.h"
#include "widgets/compare/map_scale.h"

#include <QImage>
#include <QPoint>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace qs::widgets {

// What a pane paints, and what it says about the pixel under the cursor. Made by a worker: painting
// it costs what the screen shows of it, however large the picture is.
struct PaneImage {
    QImage image;
    std::vector<QImage> smaller;  // each half as wide and high as the one before, averaged
    QPoint offset;                // of its first pixel, in pixels of the picture
    // Text for a pixel of the picture; empty where there is no value.
    std::function<QString(QPoint)> valueAt;

    [[nodiscard]] bool isNull() const { return image.isNull(); }
    // The smallest copy that still has a pixel for each pixel of the screen, of which there are
    // `scale` per pixel of the picture.
    [[nodiscard]] const QImage& levelFor(double scale) const;
    // Memory of the pixels.
    [[nodiscard]] std::size_t bytes() const;
};

// 8 bits as core::toBytes rounds; pixels with a NaN in core::kNotANumberColour. Any thread.
[[nodiscard]] QImage toImage(const core::Picture& picture);
[[nodiscard]] QImage toImage(const core::PixelMap& map, const MapScale& scale);

// Any thread; takes time in proportion to the pixels.
[[nodiscard]] PaneImage paneImage(std::shared_ptr<const core::Picture> picture);
[[nodiscard]] PaneImage paneImage(std::shared_ptr<const core::PixelMap> map, const MapScale& scale);

}  // namespace qs::widgets
