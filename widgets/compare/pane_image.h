#pragma once

#include "core/image/picture.h"
#include "widgets/compare/map_scale.h"

#include <QImage>
#include <QPoint>
#include <QString>

#include <functional>
#include <memory>

namespace qs::widgets {

// What a pane paints, and what it says about the pixel under the cursor.
struct PaneImage {
    QImage image;
    QPoint offset;  // of its first pixel, in pixels of the picture
    // Text for a pixel of the picture; empty where there is no value.
    std::function<QString(QPoint)> valueAt;

    [[nodiscard]] bool isNull() const { return image.isNull(); }
};

// 8 bits as core::toBytes rounds; pixels with a NaN in core::kNotANumberColour. Any thread.
[[nodiscard]] QImage toImage(const core::Picture& picture);
[[nodiscard]] QImage toImage(const core::PixelMap& map, const MapScale& scale);

// `image` is toImage(*picture), made before by a worker.
[[nodiscard]] PaneImage paneImage(std::shared_ptr<const core::Picture> picture,
                                  const QImage& image);
[[nodiscard]] PaneImage paneImage(std::shared_ptr<const core::PixelMap> map, const MapScale& scale);

}  // namespace qs::widgets
