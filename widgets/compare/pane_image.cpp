#include "widgets/compare/pane_image.h"

#include <QLocale>

#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

QRgb toRgb(const core::RgbBytes& colour)
{
    return qRgb(colour[0], colour[1], colour[2]);
}

QString number(double value, int digits)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : QStringLiteral("NaN");
}

}  // namespace

QImage toImage(const core::Picture& picture)
{
    QImage image(picture.width, picture.height, QImage::Format_RGB32);
    const int green = picture.channels == 3 ? 1 : 0;
    const int blue = picture.channels == 3 ? 2 : 0;
    for (int y = 0; y < picture.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < picture.width; ++x) {
            const float r = picture.at(x, y, 0);
            const float g = picture.at(x, y, green);
            const float b = picture.at(x, y, blue);
            line[x] = std::isnan(r) || std::isnan(g) || std::isnan(b)
                          ? toRgb(core::kNotANumberColour)
                          : qRgb(core::toByte(r), core::toByte(g), core::toByte(b));
        }
    }
    return image;
}

QImage toImage(const core::PixelMap& map, const MapScale& scale)
{
    QImage image(map.width, map.height, QImage::Format_RGB32);
    const double span = scale.high() - scale.low();
    for (int y = 0; y < map.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < map.width; ++x) {
            const double position = (static_cast<double>(map.at(x, y)) - scale.low()) / span;
            line[x] = toRgb(core::mapToRgb(position, scale.colormap()));
        }
    }
    return image;
}

PaneImage paneImage(std::shared_ptr<const core::Picture> picture, const QImage& image)
{
    PaneImage content{.image = image, .offset = {}, .valueAt = {}};
    content.valueAt = [picture = std::move(picture)](QPoint at) -> QString {
        if (at.x() < 0 || at.y() < 0 || at.x() >= picture->width || at.y() >= picture->height)
            return {};
        const auto channel = [&](int index) {
            const int shown = picture->channels == 3 ? index : 0;
            return number(static_cast<double>(picture->at(at.x(), at.y(), shown)), 4);
        };
        return QStringLiteral("R %1  G %2  B %3").arg(channel(0), channel(1), channel(2));
    };
    return content;
}

PaneImage paneImage(std::shared_ptr<const core::PixelMap> map, const MapScale& scale)
{
    PaneImage content{
        .image = toImage(*map, scale), .offset = QPoint(map->offsetX, map->offsetY), .valueAt = {}};
    content.valueAt = [map = std::move(map), kind = scale.kind](QPoint at) -> QString {
        const int x = at.x() - map->offsetX;
        const int y = at.y() - map->offsetY;
        if (x < 0 || y < 0 || x >= map->width || y >= map->height)
            return {};
        return QStringLiteral("%1  %2").arg(kindName(kind),
                                            number(static_cast<double>(map->at(x, y)), 6));
    };
    return content;
}

}  // namespace qs::widgets
