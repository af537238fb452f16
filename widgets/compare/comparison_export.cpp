#include "widgets/compare/comparison_export.h"

#include "core/base/json.h"
#include "core/image/picture_file.h"
#include "widgets/compare/color_bar.h"

#include <QApplication>
#include <QFontMetrics>
#include <QPainter>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace qs::widgets {

namespace {

// Small pictures are magnified by whole numbers to at least this side, large ones shrunk to the
// other.
constexpr int kSmallestSide = 512;
constexpr int kLargestSide = 1024;
constexpr int kCaptionLines = 3;  // with the title
const QColor kFrameColour(255, 170, 0);
const QColor kTextColour(24, 24, 24);

// Lengths of a sheet, in pixels.
struct Geometry {
    QSize side;  // of each picture
    double scale = 1.0;
    int margin = 0;
    int line = 0;
    int inset = 0;  // side of a magnified tile; 0 without one

    [[nodiscard]] int columnLeft(std::size_t column) const
    {
        return margin + static_cast<int>(column) * (side.width() + margin);
    }
    [[nodiscard]] int pictureTop() const { return 2 * margin + (kCaptionLines + 1) * line; }
    [[nodiscard]] int insetTop() const { return pictureTop() + side.height() + margin; }
    [[nodiscard]] int notesTop() const { return insetTop() + (inset > 0 ? inset + margin : 0); }
};

double scaleFor(QSize picture)
{
    const int longest = std::max({1, picture.width(), picture.height()});
    if (longest > kLargestSide)
        return static_cast<double>(kLargestSide) / longest;
    return std::max(1, (kSmallestSide + longest - 1) / longest);
}

QFont sheetFont(const Geometry& geometry, bool bold)
{
    QFont font = QApplication::font();
    font.setPixelSize(std::max(12, geometry.side.width() / 28));
    font.setBold(bold);
    return font;
}

Geometry measure(const ExportSheet& sheet)
{
    Geometry geometry;
    geometry.scale = scaleFor(sheet.pictureSize);
    geometry.side = (QSizeF(sheet.pictureSize) * geometry.scale).toSize();
    geometry.margin = std::max(8, geometry.side.width() / 24);
    geometry.line = QFontMetrics(sheetFont(geometry, true)).height();
    geometry.inset = sheet.worstTile ? geometry.side.width() : 0;
    return geometry;
}

void drawLine(QPainter& painter, const QRect& room, const QString& text, const QFont& font)
{
    painter.setFont(font);
    painter.setPen(kTextColour);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, room.width()));
}

void drawTexts(QPainter& painter, const ExportPane& pane, int left, const Geometry& geometry)
{
    QRect room(left, geometry.margin + geometry.line + geometry.margin / 2, geometry.side.width(),
               geometry.line);
    drawLine(painter, room, pane.title, sheetFont(geometry, true));
    for (const QString& line : pane.caption) {
        room.translate(0, geometry.line);
        drawLine(painter, room, line, sheetFont(geometry, false));
    }
}

void drawPicture(QPainter& painter, const ExportPane& pane, const QPoint& corner,
                 const Geometry& geometry)
{
    const QRectF target(QPointF(corner) + QPointF(pane.offset) * geometry.scale,
                        QSizeF(pane.image.size()) * geometry.scale);
    painter.fillRect(QRect(corner, geometry.side), QColor(222, 222, 222));
    if (geometry.scale >= 1.0)
        painter.drawImage(target, pane.image);
    else
        painter.drawImage(target.topLeft(),
                          pane.image.scaled(target.size().toSize(), Qt::IgnoreAspectRatio,
                                            Qt::SmoothTransformation));
}

void drawInset(QPainter& painter, const ExportPane& pane, const core::Tile& tile,
               const QRect& target)
{
    painter.fillRect(target, QColor(222, 222, 222));
    const double scale = static_cast<double>(target.width()) / tile.width;
    painter.save();
    painter.setClipRect(target);
    const QPointF corner = QPointF(target.topLeft()) +
                           QPointF(pane.offset.x() - tile.x, pane.offset.y() - tile.y) * scale;
    painter.drawImage(QRectF(corner, QSizeF(pane.image.size()) * scale), pane.image);
    painter.restore();
    painter.setPen(QPen(kFrameColour, 3));
    painter.drawRect(target);
}

void drawColumn(QPainter& painter, const ExportSheet& sheet, std::size_t column,
                const Geometry& geometry)
{
    const ExportPane& pane = sheet.panes[column];
    const int left = geometry.columnLeft(column);
    drawTexts(painter, pane, left, geometry);
    const QPoint corner(left, geometry.pictureTop());
    drawPicture(painter, pane, corner, geometry);
    if (!sheet.worstTile)
        return;
    const core::Tile& tile = *sheet.worstTile;
    painter.setPen(QPen(kFrameColour, 3));
    painter.drawRect(QRectF(QPointF(corner) + QPointF(tile.x, tile.y) * geometry.scale,
                            QSizeF(tile.width, tile.height) * geometry.scale));
    drawInset(painter, pane, tile,
              QRect(left, geometry.insetTop(), geometry.inset, geometry.inset));
}

void drawFoot(QPainter& painter, const ExportSheet& sheet, const Geometry& geometry, int width)
{
    int barWidth = 0;
    if (sheet.scale) {
        barWidth = geometry.side.width();
        painter.setFont(sheetFont(geometry, false));
        paintColorBar(painter,
                      QRect(geometry.columnLeft(sheet.panes.size() - 1), geometry.notesTop(),
                            barWidth, 3 * geometry.line + 4),
                      *sheet.scale, sheet.clipped, kTextColour);
    }
    QRect room(geometry.margin, geometry.notesTop(), width - barWidth - 3 * geometry.margin,
               geometry.line);
    for (const QString& note : sheet.notes) {
        drawLine(painter, room, note, sheetFont(geometry, false));
        room.translate(0, geometry.line);
    }
}

core::Result<core::Picture> toPicture(const QImage& image)
{
    const QImage rgb = image.convertToFormat(QImage::Format_RGB888);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(static_cast<std::size_t>(rgb.width()) * static_cast<std::size_t>(rgb.height()) *
                  3U);
    for (int y = 0; y < rgb.height(); ++y) {
        const uchar* line = rgb.constScanLine(y);
        // Lines are padded to four bytes.
        bytes.insert(bytes.end(), line, line + rgb.width() * 3);
    }
    return core::pictureFromBytes(rgb.width(), rgb.height(), 3, bytes);
}

}  // namespace

QImage renderSheet(const ExportSheet& sheet)
{
    const Geometry geometry = measure(sheet);
    const int width = geometry.columnLeft(sheet.panes.size());
    const int footLines = std::max<int>(sheet.scale ? 4 : 0, static_cast<int>(sheet.notes.size()));
    const int height = geometry.notesTop() + footLines * geometry.line + geometry.margin;
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawLine(painter,
             QRect(geometry.margin, geometry.margin, width - 2 * geometry.margin, geometry.line),
             sheet.heading, sheetFont(geometry, true));
    for (std::size_t column = 0; column < sheet.panes.size(); ++column)
        drawColumn(painter, sheet, column, geometry);
    drawFoot(painter, sheet, geometry, width);
    return image;
}

core::PngTexts provenanceTexts(const core::RunData& data)
{
    core::Json environments = core::Json::array();
    for (const core::Environment& environment : data.environments)
        environments.push_back(core::toJson(environment));
    return {{kPresetKeyword, core::canonicalText(core::toJson(data.plan.preset))},
            {kEnvironmentsKeyword, core::canonicalText(environments)}};
}

core::Status writeSheet(const std::filesystem::path& path, const ExportSheet& sheet,
                        const core::PngTexts& texts)
{
    if (sheet.panes.empty())
        return core::Error{core::ErrorCode::InvalidArgument, "there are no pictures to export"};
    QS_TRY(const core::Picture picture, toPicture(renderSheet(sheet)));
    return core::writePng(path, picture, texts);
}

}  // namespace qs::widgets
