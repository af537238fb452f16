#include "widgets/compare/comparison_export.h"

#include "core/base/json.h"
#include "core/image/picture_file.h"
#include "widgets/compare/caption_flow.h"
#include "widgets/compare/color_bar.h"

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
const QColor kFrameColour(255, 170, 0);
const QColor kTextColour(24, 24, 24);

// Lengths of a sheet, in pixels.
struct Geometry {
    QSize side;  // of each picture
    double scale = 1.0;
    int margin = 0;
    int line = 0;
    int inset = 0;      // side of a magnified tile; 0 without one
    int textLines = 1;  // above each picture
    int columns = 1;
    int rows = 1;

    [[nodiscard]] int columnLeft(int column) const
    {
        return margin + column * (side.width() + margin);
    }
    [[nodiscard]] int rowHeight() const
    {
        return textLines * line + margin / 2 + side.height() + margin +
               (inset > 0 ? inset + margin : 0);
    }
    [[nodiscard]] int rowTop(int row) const { return 2 * margin + line + row * rowHeight(); }
    [[nodiscard]] int notesTop() const { return rowTop(rows); }
};

double scaleFor(QSize picture)
{
    const int longest = std::max({1, picture.width(), picture.height()});
    if (longest > kLargestSide)
        return static_cast<double>(kLargestSide) / longest;
    return std::max(1, (kSmallestSide + longest - 1) / longest);
}

QFont sheetFont(const ExportSheet& sheet, const Geometry& geometry, bool bold)
{
    QFont font = sheet.font;
    font.setPixelSize(std::max(12, geometry.side.width() / 28));
    font.setBold(bold);
    return font;
}

// Title and caption, broken where the picture ends; the first `boldLines` are the title.
struct SheetText {
    QStringList lines;
    qsizetype boldLines = 0;
};

SheetText textOf(const ExportSheet& sheet, const ExportPane& pane, const Geometry& geometry)
{
    const int width = geometry.side.width();
    SheetText text;
    text.lines = flowed(pane.title, QFontMetrics(sheetFont(sheet, geometry, true)), width);
    text.boldLines = text.lines.size();
    for (const QString& paragraph : pane.caption)
        text.lines += flowed(paragraph, QFontMetrics(sheetFont(sheet, geometry, false)), width);
    return text;
}

Geometry measure(const ExportSheet& sheet)
{
    Geometry geometry;
    geometry.scale = scaleFor(sheet.pictureSize);
    geometry.side = (QSizeF(sheet.pictureSize) * geometry.scale).toSize();
    geometry.margin = std::max(8, geometry.side.width() / 24);
    geometry.line = QFontMetrics(sheetFont(sheet, geometry, true)).height();
    geometry.inset = sheet.worstTile ? geometry.side.width() : 0;
    const int count = static_cast<int>(sheet.panes.size());
    geometry.rows = std::max(1, (count + kExportColumns - 1) / kExportColumns);
    geometry.columns = (count + geometry.rows - 1) / geometry.rows;
    for (const ExportPane& pane : sheet.panes)
        geometry.textLines = std::max(geometry.textLines,
                                      static_cast<int>(textOf(sheet, pane, geometry).lines.size()));
    return geometry;
}

void drawLine(QPainter& painter, const QRect& room, const QString& text, const QFont& font)
{
    painter.setFont(font);
    painter.setPen(kTextColour);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, room.width()));
}

void drawTexts(QPainter& painter, const ExportSheet& sheet, const ExportPane& pane,
               const QPoint& corner, const Geometry& geometry)
{
    const SheetText text = textOf(sheet, pane, geometry);
    QRect room(corner, QSize(geometry.side.width(), geometry.line));
    for (qsizetype i = 0; i < text.lines.size(); ++i) {
        drawLine(painter, room, text.lines[i], sheetFont(sheet, geometry, i < text.boldLines));
        room.translate(0, geometry.line);
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

void drawPane(QPainter& painter, const ExportSheet& sheet, int index, const Geometry& geometry)
{
    const ExportPane& pane = sheet.panes[static_cast<std::size_t>(index)];
    const QPoint top(geometry.columnLeft(index % geometry.columns),
                     geometry.rowTop(index / geometry.columns));
    drawTexts(painter, sheet, pane, top, geometry);
    const QPoint corner = top + QPoint(0, geometry.textLines * geometry.line + geometry.margin / 2);
    drawPicture(painter, pane, corner, geometry);
    if (!sheet.worstTile)
        return;
    const core::Tile& tile = *sheet.worstTile;
    painter.setPen(QPen(kFrameColour, 3));
    painter.drawRect(QRectF(QPointF(corner) + QPointF(tile.x, tile.y) * geometry.scale,
                            QSizeF(tile.width, tile.height) * geometry.scale));
    drawInset(painter, pane, tile,
              QRect(corner + QPoint(0, geometry.side.height() + geometry.margin),
                    QSize(geometry.inset, geometry.inset)));
}

void drawFoot(QPainter& painter, const ExportSheet& sheet, const Geometry& geometry, int width)
{
    int barWidth = 0;
    if (sheet.scale) {
        barWidth = geometry.side.width();
        painter.setFont(sheetFont(sheet, geometry, false));
        paintColorBar(painter,
                      QRect(geometry.columnLeft(geometry.columns - 1), geometry.notesTop(),
                            barWidth, 3 * geometry.line + 4),
                      *sheet.scale, sheet.clipped, kTextColour);
    }
    QRect room(geometry.margin, geometry.notesTop(), width - barWidth - 3 * geometry.margin,
               geometry.line);
    for (const QString& note : sheet.notes) {
        drawLine(painter, room, note, sheetFont(sheet, geometry, false));
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
    const int width = geometry.columnLeft(geometry.columns);
    const int footLines = std::max<int>(sheet.scale ? 4 : 0, static_cast<int>(sheet.notes.size()));
    const int height = geometry.notesTop() + footLines * geometry.line + geometry.margin;
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawLine(painter,
             QRect(geometry.margin, geometry.margin, width - 2 * geometry.margin, geometry.line),
             sheet.heading, sheetFont(sheet, geometry, true));
    for (int i = 0; i < static_cast<int>(sheet.panes.size()); ++i)
        drawPane(painter, sheet, i, geometry);
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
        return core::Error{core::ErrorCode::InvalidArgument, "there are no images to export"};
    QS_TRY(const core::Picture picture, toPicture(renderSheet(sheet)));
    return core::writePng(path, picture, texts);
}

}  // namespace qs::widgets
