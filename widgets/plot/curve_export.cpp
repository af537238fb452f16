#include "widgets/plot/curve_export.h"

#include "core/base/files.h"
#include "widgets/plot/qcustomplot.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace qs::widgets {

namespace {

constexpr double kDotsPerInch = 96.0;  // everything is laid out in these units
constexpr double kMillimetresPerInch = 25.4;
constexpr double kNarrowMillimetres = 120.0;  // below it the legend goes under the plot
constexpr int kPngScale = 2;

void setUp(QCustomPlot& plot, const CurveSet& set, const CurveLook& look,
           const CurveExport& options, const QSize& size)
{
    plot.setViewport(QRect(QPoint(), size));
    plot.setLocale(QLocale());
    drawCurves(plot, set, look);
    for (const QString& key : look.hidden) {
        for (int i = plot.legend->itemCount() - 1; i >= 0; --i) {
            auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i));
            if (item != nullptr && item->plottable()->property(kCurveKeyProperty) == key)
                plot.legend->removeItem(i);
        }
    }
    plot.legend->simplify();
    plot.xAxis->setRange(options.range.left(), options.range.right());
    plot.yAxis->setRange(options.range.top(), options.range.bottom());
}

// Paints on any device whose units are 1/96 inch.
void paint(QCustomPlot& plot, QPaintDevice& device, const QSize& size, int scale)
{
    QCPPainter painter;
    painter.begin(&device);
    painter.setMode(QCPPainter::pmNoCaching);
    if (scale == 1)
        painter.setMode(QCPPainter::pmVectorized);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.fillRect(QRect(QPoint(), size), Qt::white);
    plot.toPainter(&painter, size.width(), size.height());
    painter.end();
}

void writePng(QCustomPlot& plot, QIODevice& out, const QSize& size)
{
    QImage image(size * kPngScale, QImage::Format_RGB32);
    const double perMetre = kPngScale * kDotsPerInch / kMillimetresPerInch * 1000.0;
    paint(plot, image, size, kPngScale);
    // After painting: the painter would take it for the resolution of fonts.
    image.setDotsPerMeterX(static_cast<int>(std::lround(perMetre)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(perMetre)));
    image.save(&out, "PNG");
}

void writeSvg(QCustomPlot& plot, QIODevice& out, const QSize& size)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setResolution(static_cast<int>(kDotsPerInch));
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(QStringLiteral("QuantScope"));
    paint(plot, generator, size, 1);
}

void writePdf(QCustomPlot& plot, QIODevice& out, const QSize& size)
{
    QPdfWriter writer(&out);
    writer.setResolution(static_cast<int>(kDotsPerInch));
    writer.setCreator(QStringLiteral("QuantScope"));
    writer.setPageMargins(QMarginsF());
    constexpr double kPointsPerDot = 72.0 / kDotsPerInch;
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerDot, QPageSize::Point, QString(),
                                 QPageSize::ExactMatch));
    paint(plot, writer, size, 1);
}

}  // namespace

core::Result<QByteArray> renderCurves(const CurveSet& set, const CurveLook& look,
                                      const CurveExport& options)
{
    constexpr double kNarrowest = 20.0;
    constexpr double kWidest = 1000.0;
    if (!(options.widthMillimetres >= kNarrowest && options.widthMillimetres <= kWidest))
        return core::Error{core::ErrorCode::InvalidArgument,
                           "a figure is 20 to 1000 mm wide, not " +
                               std::to_string(options.widthMillimetres)};
    CurveLook printed = look;
    printed.theme = printTheme();
    printed.selectedCell.clear();  // the ring is about the window, not about the data
    printed.highlighted.clear();
    const bool narrow = options.widthMillimetres < kNarrowMillimetres;
    printed.legend = narrow ? LegendPlace::Below : LegendPlace::Right;
    const double width = options.widthMillimetres / kMillimetresPerInch * kDotsPerInch;
    const double share = narrow ? 0.85 : 0.5;  // height over width; the legend needs room below
    const QSize size(static_cast<int>(std::lround(width)),
                     static_cast<int>(std::lround(width * share)));

    QCustomPlot plot;
    setUp(plot, set, printed, options, size);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    switch (options.format) {
    case ExportFormat::Png:
        writePng(plot, buffer, size);
        break;
    case ExportFormat::Svg:
        writeSvg(plot, buffer, size);
        break;
    case ExportFormat::Pdf:
        writePdf(plot, buffer, size);
        break;
    }
    if (buffer.data().isEmpty())
        return core::Error{core::ErrorCode::Internal, "the figure could not be encoded"};
    return buffer.data();
}

core::Status exportCurves(const CurveSet& set, const CurveLook& look, const CurveExport& options,
                          const std::filesystem::path& path)
{
    QS_TRY(const QByteArray bytes, renderCurves(set, look, options));
    return core::writeFileAtomically(
        path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace qs::widgets
