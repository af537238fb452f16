#include "widgets/plot/curve_export.h"

#include "core/base/files.h"
#include "widgets/plot/curve_axes.h"
#include "widgets/plot/image_file.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/legend_layout.h"
#include "widgets/plot/qcustomplot.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace qs::widgets {

namespace {

constexpr double kMillimetresPerInch = 25.4;
constexpr double kPngDotsPerInch = 300.0;
constexpr double kNarrowMillimetres = 120.0;  // below it the legend goes under the plot

void setUp(QCustomPlot& plot, const CurveSet& set, const CurveLook& look,
           const CurveExport& options, const QSize& size)
{
    plot.setViewport(QRect(QPoint(), size));
    plot.setLocale(QLocale());
    drawCurves(plot, set, look);
    for (int i = plot.legend->itemCount() - 1; i >= 0; --i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i));
        const QString key =
            item == nullptr ? QString() : item->plottable()->property(kCurveKeyProperty).toString();
        if (!key.isEmpty() && isHidden(set, look, key))
            plot.legend->removeItem(i);
    }
    plot.legend->simplify();
    plot.xAxis->setRange(options.range.left(), options.range.right());
    plot.yAxis->setRange(options.range.top(), options.range.bottom());
    layOutAxes(plot, set);
}

// What is painted, in units of the layout.
struct Sheet {
    QCustomPlot& plot;
    QSize size;  // of the plot with the title
    QFont titleFont;
    QString title;
    int titleHeight = 0;
};

// Paints on any device whose units, times the scale, are those of the layout.
void paint(const Sheet& sheet, QPaintDevice& device, double scale)
{
    const QSize& size = sheet.size;
    QCPPainter painter;
    painter.begin(&device);
    painter.setMode(QCPPainter::pmNoCaching);
    if (scale == 1.0)
        painter.setMode(QCPPainter::pmVectorized);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.fillRect(QRect(QPoint(), size), Qt::white);
    painter.setFont(sheet.titleFont);
    painter.setPen(Qt::black);
    painter.drawText(QRect(0, 0, size.width(), sheet.titleHeight),
                     Qt::AlignCenter | Qt::TextWordWrap, sheet.title);
    painter.translate(0, sheet.titleHeight);
    sheet.plot.toPainter(&painter, size.width(), size.height() - sheet.titleHeight);
    painter.end();
}

QImage paintImage(const Sheet& sheet, const CurveExport& options)
{
    const QSize& size = sheet.size;
    const double scale = kPngDotsPerInch / kPrintUnitsPerInch;
    QImage image(static_cast<int>(std::lround(size.width() * scale)),
                 static_cast<int>(std::lround(size.height() * scale)), QImage::Format_RGB32);
    image.fill(Qt::white);
    paint(sheet, image, scale);
    // After painting: the painter would take it for the resolution of fonts.
    const auto perMetre =
        static_cast<int>(std::lround(kPngDotsPerInch / kMillimetresPerInch * 1e3));
    image.setDotsPerMeterX(perMetre);
    image.setDotsPerMeterY(perMetre);
    for (const auto& [keyword, text] : options.provenance)
        image.setText(QString::fromStdString(keyword), asciiJson(text));
    return image;
}

QByteArray paintSvg(const Sheet& sheet, const CurveExport& options)
{
    const QSize& size = sheet.size;
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setResolution(static_cast<int>(kPrintUnitsPerInch));
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(QStringLiteral("QuantScope"));
    QStringList lines;
    for (const auto& [keyword, text] : options.provenance)
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(keyword), asciiJson(text));
    // The generator of Qt 6.4 writes the description as it is, later ones may escape it: put in
    // afterwards, it is right for all of them.
    const QString placeholder = QStringLiteral("quantscope-provenance");
    generator.setDescription(placeholder);
    paint(sheet, generator, 1.0);
    QByteArray svg = out.data();
    return svg.replace(placeholder.toUtf8(),
                       lines.join(QLatin1Char('\n')).toHtmlEscaped().toUtf8());
}

QByteArray paintPdf(const Sheet& sheet, const CurveExport& options)
{
    const QSize& size = sheet.size;
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&out);
        writer.setResolution(static_cast<int>(kPrintUnitsPerInch));
        writer.setCreator(QStringLiteral("QuantScope"));
        writer.setPageMargins(QMarginsF());
        constexpr double kPointsPerUnit = 72.0 / kPrintUnitsPerInch;
        writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerUnit, QPageSize::Point, QString(),
                                     QPageSize::ExactMatch));
        for (const auto& [keyword, text] : options.provenance)
            writer.addFileAttachment(QString::fromStdString(keyword + ".json"),
                                     QByteArray::fromStdString(text),
                                     QStringLiteral("application/json"));
        paint(sheet, writer, 1.0);
    }
    return out.data();
}

CurveLook printLook(const CurveLook& look, const CurveExport& options)
{
    CurveLook printed = look;
    printed.theme = printTheme();
    printed.selectedCell.clear();  // the ring is about the window, not about the data
    printed.highlighted.clear();
    printed.shortLegend = false;
    printed.longestName = 0;
    if (!options.family.isEmpty())
        printed.theme.font.setFamily(options.family);
    constexpr double kPointsPerInch = 72.0;
    printed.theme.font.setPixelSize(
        static_cast<int>(std::lround(options.points * kPrintUnitsPerInch / kPointsPerInch)));
    printed.legend = options.legend.value_or(
        options.widthMillimetres < kNarrowMillimetres ? LegendPlace::Below : LegendPlace::Right);
    return printed;
}

// The plot itself keeps its shape; a legend below adds its rows.
QSize sizeOf(const CurveSet& set, const CurveLook& look, const CurveExport& options)
{
    constexpr double kBesideShare = 0.5;  // height over width
    constexpr double kBelowShare = 0.68;
    const auto width = static_cast<int>(
        std::lround(options.widthMillimetres / kMillimetresPerInch * kPrintUnitsPerInch));
    if (look.legend == LegendPlace::Right)
        return {width, static_cast<int>(std::lround(width * kBesideShare))};
    const int height = static_cast<int>(std::lround(width * kBelowShare));
    if (look.legend == LegendPlace::None)
        return {width, height};
    return {width, height + legendRows(set, look, width) * legendRowHeight(look)};
}

Sheet sheetOf(QCustomPlot& plot, const QSize& size, const CurveLook& look,
              const CurveExport& options)
{
    Sheet sheet{.plot = plot,
                .size = size,
                .titleFont = look.theme.font,
                .title = options.title.simplified()};
    if (sheet.title.isEmpty())
        return sheet;
    sheet.titleFont.setBold(true);
    const QFontMetrics metrics(sheet.titleFont);
    sheet.titleHeight = metrics
                            .boundingRect(QRect(0, 0, size.width(), size.height()),
                                          Qt::AlignCenter | Qt::TextWordWrap, sheet.title)
                            .height() +
                        metrics.descent();
    sheet.size.rheight() += sheet.titleHeight;
    return sheet;
}

}  // namespace

core::Result<CurveFigure> paintFigure(const CurveSet& set, const CurveLook& look,
                                      const CurveExport& options)
{
    constexpr double kNarrowest = 20.0;
    constexpr double kWidest = 1000.0;
    if (!(options.widthMillimetres >= kNarrowest && options.widthMillimetres <= kWidest))
        return core::Error{core::ErrorCode::InvalidArgument,
                           "a figure is 20 to 1000 mm wide, not " +
                               std::to_string(options.widthMillimetres)};
    const CurveLook printed = printLook(look, options);
    const QSize size = sizeOf(set, printed, options);
    QCustomPlot plot;
    setUp(plot, set, printed, options, size);
    const Sheet sheet = sheetOf(plot, size, printed, options);
    CurveFigure figure{.format = options.format, .image = {}, .bytes = {}};
    switch (options.format) {
    case ExportFormat::Png:
        figure.image = paintImage(sheet, options);
        break;
    case ExportFormat::Svg:
        figure.bytes = paintSvg(sheet, options);
        break;
    case ExportFormat::Pdf:
        figure.bytes = paintPdf(sheet, options);
        break;
    }
    return figure;
}

QString asciiJson(const std::string& json)
{
    QString ascii;
    for (const QChar letter : QString::fromStdString(json)) {
        if (letter.unicode() < 0x7f)
            ascii += letter;
        else
            ascii += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'));
    }
    return ascii;
}

core::Status writeFigure(const CurveFigure& figure, const std::filesystem::path& path)
{
    if (figure.format == ExportFormat::Png)
        return writePng(figure.image, path);
    return core::writeFileAtomically(
        path,
        std::string_view(figure.bytes.constData(), static_cast<std::size_t>(figure.bytes.size())));
}

}  // namespace qs::widgets
