#include "widgets/compare/pane_image.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

QRgb toRgb(const core::RgbBytes& colour)
{
    return qRgb(colour[0], colour[1], colour[2]);
}

struct PaneImageText {
    Q_DECLARE_TR_FUNCTIONS(PaneImage)
};

QString number(double value, int digits)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : QStringLiteral("NaN");
}

// As core::toByte rounds it, but not limited: a value beyond white is one that the screen cannot
// show.
QString levelText(float value)
{
    return number(std::floor(static_cast<double>(value) * 255.0 + 0.5), 0);
}

// Copies down to a thumbnail: below this side painting costs nothing anyway.
std::vector<QImage> halvings(const QImage& image)
{
    constexpr int kSmallestSide = 64;
    std::vector<QImage> levels;
    QSize size = image.size();
    const QImage* from = &image;
    while (std::max(size.width(), size.height()) >= 2 * kSmallestSide) {
        size = QSize(std::max(1, size.width() / 2), std::max(1, size.height() / 2));
        levels.push_back(from->scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        from = &levels.back();
    }
    return levels;
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

const QImage& PaneImage::levelFor(double scale) const
{
    const QImage* best = &image;
    for (const QImage& level : smaller) {
        if (level.width() < image.width() * scale || level.height() < image.height() * scale)
            break;
        best = &level;
    }
    return *best;
}

std::size_t PaneImage::bytes() const
{
    auto total = static_cast<std::size_t>(image.sizeInBytes());
    for (const QImage& level : smaller)
        total += static_cast<std::size_t>(level.sizeInBytes());
    return total;
}

PaneImage paneImage(std::shared_ptr<const core::Picture> picture)
{
    PaneImage content{.image = toImage(*picture), .smaller = {}, .offset = {}, .valueAt = {}};
    content.smaller = halvings(content.image);
    content.valueAt = [picture = std::move(picture)](QPoint at) -> QString {
        if (at.x() < 0 || at.y() < 0 || at.x() >= picture->width || at.y() >= picture->height)
            return {};
        const auto channel = [&](int index) {
            const int shown = picture->channels == 3 ? index : 0;
            return picture->at(at.x(), at.y(), shown);
        };
        const auto value = [&](int index) {
            return number(static_cast<double>(channel(index)), 4);
        };
        const auto level = [&](int index) { return levelText(channel(index)); };
        return PaneImageText::tr("RGB %1 %2 %3 · %4 %5 %6 of 255")
            .arg(value(0), value(1), value(2), level(0), level(1), level(2));
    };
    return content;
}

PaneImage paneImage(std::shared_ptr<const core::PixelMap> map, const MapScale& scale)
{
    PaneImage content{.image = toImage(*map, scale),
                      .smaller = {},
                      .offset = QPoint(map->offsetX, map->offsetY),
                      .valueAt = {}};
    content.smaller = halvings(content.image);
    content.valueAt = [map = std::move(map), kind = scale.kind](QPoint at) -> QString {
        const int x = at.x() - map->offsetX;
        const int y = at.y() - map->offsetY;
        if (x < 0 || y < 0 || x >= map->width || y >= map->height)
            return PaneImageText::tr("no value at the border");
        const auto value = static_cast<double>(map->at(x, y));
        const QString text = QStringLiteral("%1 %2").arg(kindName(kind), number(value, 6));
        // SSIM and FLIP have no unit; differences are parts of the whole range, or levels of 8
        // bits.
        if (!isDifference(kind) || !std::isfinite(value))
            return text;
        return PaneImageText::tr("%1 · %2 of 255").arg(text, number(value * 255.0, 2));
    };
    return content;
}

}  // namespace qs::widgets
