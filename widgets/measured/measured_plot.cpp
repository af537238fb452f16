#include "widgets/measured/measured_plot.h"

#include "core/device/nvml.h"
#include "widgets/plot/qcustomplot.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr int kFrame = 1;              // pixels for the frame that shows the focus
constexpr int kLeast = 20;             // pixels: QCustomPlot cannot paint on nothing
constexpr double kReachPixels = 10.0;  // how near to a point counts as on it
constexpr double kMargin = 0.03;       // of the span, left and right of it
constexpr int kSampleStretch = 30;
constexpr int kReadingStretch = 11;
constexpr int kHistogramStretch = 22;  // of 100 in width

struct Colours {
    QColor sample;
    QColor warmup;
    QColor discarded;
    QColor slowdown;
    QColor clock;
    QColor power;
    QColor temperature;
};

Colours coloursOf(const PlotTheme& theme)
{
    if (theme.dark)
        return {.sample = QColor(0x50, 0xa8, 0xff),
                .warmup = QColor(0x8d, 0x93, 0x9c),
                .discarded = QColor(0xff, 0x6b, 0x5e),
                .slowdown = QColor(0xff, 0x6b, 0x5e, 56),
                .clock = QColor(0xa8, 0xc8, 0x92),
                .power = QColor(0xff, 0xb0, 0x4a),
                .temperature = QColor(0xe0, 0x8a, 0xd0)};
    return {.sample = QColor(0x2b, 0x6c, 0xb0),
            .warmup = QColor(0x8a, 0x8f, 0x98),
            .discarded = QColor(0xc6, 0x28, 0x1d),
            .slowdown = QColor(0xd0, 0x3a, 0x2f, 44),
            .clock = QColor(0x3f, 0x7c, 0x6f),
            .power = QColor(0xb8, 0x66, 0x0a),
            .temperature = QColor(0x9a, 0x3f, 0x94)};
}

// Nothing between two samples.
QSharedPointer<QCPAxisTicker> wholeNumbers()
{
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1.0);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    return ticker;
}

// Not a range of nothing, which no axis can show.
core::Interval widened(double lower, double upper, double share)
{
    const double span = upper - lower;
    const double margin = span > 0.0 ? share * span : std::max(std::abs(upper) * 0.05, 1e-9);
    return {lower - margin, upper + margin};
}

}  // namespace

MeasuredPlot::MeasuredPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot)
{
    setObjectName(QStringLiteral("measuredPlot"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Samples over time and what the device did"));
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->setMinimumSize(kLeast, kLeast);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setLocale(QLocale());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kFrame, kFrame, kFrame, kFrame);
    layout->addWidget(m_plot);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const QString text = textAt(m_plot->mapToParent(event->pos()));
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(event->globalPosition().toPoint(), text, m_plot);
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this] { showSamples(); });
    rebuild();
}

QSize MeasuredPlot::sizeHint() const
{
    const int letter = fontMetrics().averageCharWidth();
    return {letter * 90, letter * 56};
}

QSize MeasuredPlot::minimumSizeHint() const
{
    return {220, 160};
}

void MeasuredPlot::setSeries(MeasuredSeries series)
{
    m_series = std::move(series);
    rebuild();
}

void MeasuredPlot::styleAxis(QCPAxis& axis) const
{
    axis.setBasePen(QPen(m_theme.axis, 1.0));
    axis.setTickPen(QPen(m_theme.axis, 1.0));
    axis.setSubTickPen(QPen(m_theme.axis, 1.0));
    axis.setTickLabelColor(m_theme.text);
    axis.setLabelColor(m_theme.text);
    axis.setTickLabelFont(m_theme.font);
    axis.setLabelFont(m_theme.font);
    axis.grid()->setPen(QPen(m_theme.grid, 1.0));
    axis.grid()->setZeroLinePen(QPen(m_theme.grid, 1.0));
}

QCPAxisRect* MeasuredPlot::addStrip(const QString& label, int stretch)
{
    auto* strip = new QCPAxisRect(m_plot);
    const int row = static_cast<int>(m_strips.size());
    m_plot->plotLayout()->addElement(row, 0, strip);
    m_plot->plotLayout()->setRowStretchFactor(row, stretch);
    strip->setMinimumMargins(QMargins(0, 6, 12, 0));
    strip->setMarginGroup(QCP::msLeft | QCP::msRight, m_margins.front());
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft})
        styleAxis(*strip->axis(side));
    strip->axis(QCPAxis::atBottom)->setTickLabels(false);
    QCPAxis* values = strip->axis(QCPAxis::atLeft);
    values->setLabel(label);
    values->ticker()->setTickCount(stretch == kSampleStretch ? 5 : 2);
    // Wheel and mouse work along time: the heights are those of the data.
    strip->setRangeDrag(Qt::Horizontal);
    strip->setRangeZoom(Qt::Horizontal);
    m_strips.push_back(strip);
    return strip;
}

void MeasuredPlot::rebuild()
{
    m_theme = screenTheme(palette(), font());
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_plot->plotLayout()->clear();
    m_strips.clear();
    m_histogram = nullptr;
    for (QCPMarginGroup* group : m_margins)
        delete group;
    m_margins = {new QCPMarginGroup(m_plot)};
    m_plot->setBackground(m_theme.background);
    drawSamples();
    drawTrace();
    drawSlowdowns();
    QCPAxis* time = m_strips.back()->axis(QCPAxis::atBottom);
    time->setTickLabels(true);
    time->setLabel(m_series.course.hasTimes ? tr("seconds after the cell began")
                                            : tr("number of the sample"));
    if (!m_series.course.hasTimes)
        time->setTicker(wholeNumbers());
    linkAxes();
    showSamples();
}

void MeasuredPlot::drawSamples()
{
    const core::MeasuredCourse& course = m_series.course;
    m_unit = timeUnit(m_series.summary ? m_series.summary->quartiles.median : 1e-3);
    addStrip(tr("%1 per pass").arg(m_unit.name), kSampleStretch);
    double least = 0.0;
    double most = 1.0;
    bool first = true;
    for (const core::CoursePass& pass : course.passes) {
        // The first passes of a warm-up may take a hundred times as long: the samples decide.
        if (pass.kind == core::PassKind::WarmUp)
            continue;
        const double value = pass.seconds * m_unit.perSecond;
        least = first ? value : std::min(least, value);
        most = first ? value : std::max(most, value);
        first = false;
    }
    constexpr double kHeadroom = 0.12;
    const core::Interval range = widened(least, most, kHeadroom);
    m_least = range.lower;
    m_most = range.upper;
    m_strips.front()->axis(QCPAxis::atLeft)->setRange(m_least, m_most);
    drawQuartiles();
    const Colours colours = coloursOf(m_theme);
    drawPasses(core::PassKind::WarmUp, colours.warmup, true);
    drawPasses(core::PassKind::Counted, colours.sample, false);
    drawPasses(core::PassKind::Discarded, colours.discarded, false);
    drawHistogram();
}

// In the unit of the axis; one that lies beyond its end is drawn at the edge.
double MeasuredPlot::shown(const core::CoursePass& pass) const
{
    return std::clamp(pass.seconds * m_unit.perSecond, m_least, m_most);
}

void MeasuredPlot::drawPasses(core::PassKind kind, const QColor& colour, bool hollow)
{
    QCPAxisRect* strip = m_strips.front();
    const auto addGraph = [&](QCPScatterStyle::ScatterShape shape, double size) {
        auto* graph =
            m_plot->addGraph(strip->axis(QCPAxis::atBottom), strip->axis(QCPAxis::atLeft));
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(
            QCPScatterStyle(shape, QPen(colour, shape == QCPScatterStyle::ssCross ? 1.8 : 1.0),
                            hollow ? QBrush(Qt::NoBrush) : QBrush(colour), size));
        return graph;
    };
    const bool cross = kind == core::PassKind::Discarded;
    QCPGraph* inside =
        addGraph(cross ? QCPScatterStyle::ssCross : QCPScatterStyle::ssCircle, cross ? 8.0 : 4.0);
    QCPGraph* above = addGraph(QCPScatterStyle::ssTriangle, 7.0);
    for (const core::CoursePass& pass : m_series.course.passes) {
        if (pass.kind != kind)
            continue;
        const bool beyond = pass.seconds * m_unit.perSecond > m_most;
        (beyond ? above : inside)->addData(pass.at, shown(pass));
    }
}

void MeasuredPlot::drawQuartiles()
{
    if (!m_series.summary)
        return;
    QCPAxisRect* strip = m_strips.front();
    const core::Quartiles& quartiles = m_series.summary->quartiles;
    const core::MeasuredCourse& course = m_series.course;
    double from = course.sampling ? course.sampling->lower : 0.0;
    const double to = course.span ? course.span->upper : 1.0;
    const auto place = [&](QCPItemPosition* position, double x, double seconds) {
        position->setAxisRect(strip);
        position->setAxes(strip->axis(QCPAxis::atBottom), strip->axis(QCPAxis::atLeft));
        position->setCoords(x, seconds * m_unit.perSecond);
    };
    const auto clipped = [&](QCPAbstractItem* item) {
        item->setClipAxisRect(strip);
        item->setClipToAxisRect(true);
    };
    QColor band = coloursOf(m_theme).sample;
    band.setAlpha(m_theme.dark ? 60 : 40);
    auto* area = new QCPItemRect(m_plot);
    clipped(area);
    place(area->topLeft, from, quartiles.upper);
    place(area->bottomRight, to, quartiles.lower);
    area->setPen(Qt::NoPen);
    area->setBrush(band);
    auto* line = new QCPItemLine(m_plot);
    clipped(line);
    place(line->start, from, quartiles.median);
    place(line->end, to, quartiles.median);
    line->setPen(QPen(coloursOf(m_theme).sample, 1.2));
}

// Its heights are those of the samples beside it.
void MeasuredPlot::drawHistogram()
{
    if (m_series.bins.size() < 2)
        return;
    m_histogram = new QCPAxisRect(m_plot);
    m_plot->plotLayout()->addElement(0, 1, m_histogram);
    m_plot->plotLayout()->setColumnStretchFactor(0, 100 - kHistogramStretch);
    m_plot->plotLayout()->setColumnStretchFactor(1, kHistogramStretch);
    m_histogram->setMinimumMargins(QMargins(0, 6, 12, 0));
    // Level with the samples: what one has below, the other leaves free.
    auto* heights = m_margins.emplace_back(new QCPMarginGroup(m_plot));
    for (QCPAxisRect* rect : {m_strips.front(), m_histogram})
        rect->setMarginGroup(QCP::msTop | QCP::msBottom, heights);
    m_histogram->setRangeDrag({});
    m_histogram->setRangeZoom({});
    QCPAxis* values = m_histogram->axis(QCPAxis::atLeft);
    QCPAxis* counts = m_histogram->axis(QCPAxis::atBottom);
    for (QCPAxis* axis : {values, counts})
        styleAxis(*axis);
    values->setRange(m_least, m_most);
    values->setTickLabels(false);
    counts->setTicker(wholeNumbers());
    counts->ticker()->setTickCount(3);
    auto* bars = new QCPBars(values, counts);
    bars->setWidthType(QCPBars::wtPlotCoords);
    bars->setPen(Qt::NoPen);
    QColor fill = coloursOf(m_theme).sample;
    fill.setAlpha(170);
    bars->setBrush(fill);
    std::size_t most = 1;
    for (const core::HistogramBin& bin : m_series.bins) {
        bars->addData(0.5 * (bin.lower + bin.upper) * m_unit.perSecond,
                      static_cast<double>(bin.count));
        most = std::max(most, bin.count);
    }
    const core::HistogramBin& bin = m_series.bins.front();
    constexpr double kFilled = 0.92;
    bars->setWidth((bin.upper - bin.lower) * m_unit.perSecond * kFilled);
    counts->setRange(0.0, 1.05 * static_cast<double>(most));
}

void MeasuredPlot::drawTrace()
{
    // Only on an axis of time.
    if (!m_series.course.hasTimes)
        return;
    const Colours colours = coloursOf(m_theme);
    drawReading(
        tr("MHz"), [](const core::DevicePoint& point) { return point.smClockMegahertz; },
        colours.clock);
    drawReading(
        tr("W"), [](const core::DevicePoint& point) { return point.powerWatts; }, colours.power);
    drawReading(
        tr("°C"), [](const core::DevicePoint& point) { return point.temperatureCelsius; },
        colours.temperature);
}

void MeasuredPlot::drawReading(const QString& label, const Reading& reading, const QColor& colour)
{
    QVector<double> times;
    QVector<double> values;
    for (const core::DevicePoint& point : m_series.trace.points) {
        if (const auto value = reading(point)) {
            times << point.at;
            values << *value;
        }
    }
    if (times.isEmpty())
        return;
    QCPAxisRect* strip = addStrip(label, kReadingStretch);
    auto* graph = m_plot->addGraph(strip->axis(QCPAxis::atBottom), strip->axis(QCPAxis::atLeft));
    graph->setPen(QPen(colour, m_theme.lineWidth));
    // What was read at a moment is taken to last until the next.
    graph->setLineStyle(times.size() > 1 ? QCPGraph::lsStepLeft : QCPGraph::lsNone);
    if (times.size() == 1)
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 5.0));
    graph->setData(times, values, true);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    constexpr double kHeadroom = 0.15;
    const core::Interval range = widened(*least, *most, kHeadroom);
    strip->axis(QCPAxis::atLeft)->setRange(range.lower, range.upper);
}

void MeasuredPlot::drawSlowdowns()
{
    if (!m_series.course.hasTimes)
        return;
    for (const core::SlowdownBand& band : m_series.course.slowdowns) {
        for (QCPAxisRect* strip : m_strips) {
            auto* area = new QCPItemRect(m_plot);
            area->setClipAxisRect(strip);
            area->setClipToAxisRect(true);
            for (QCPItemPosition* corner : {area->topLeft, area->bottomRight}) {
                corner->setAxisRect(strip);
                corner->setAxes(strip->axis(QCPAxis::atBottom), strip->axis(QCPAxis::atLeft));
                corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
            }
            area->topLeft->setCoords(band.from, 0.0);
            area->bottomRight->setCoords(band.to, 1.0);
            // A stretch that is narrower than a pixel is still seen.
            QColor edge = coloursOf(m_theme).slowdown;
            area->setPen(QPen(edge, 1.0));
            area->setBrush(edge);
        }
    }
}

void MeasuredPlot::linkAxes()
{
    for (QCPAxisRect* from : m_strips) {
        connect(from->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
                this, [this](const QCPRange& range) {
                    for (QCPAxisRect* each : m_strips)
                        each->axis(QCPAxis::atBottom)->setRange(range);
                });
    }
}

void MeasuredPlot::setSpan(double lower, double upper)
{
    m_strips.front()->axis(QCPAxis::atBottom)->setRange(lower, upper);
    // What is hidden may have no size to be painted on; it is painted when it is shown.
    if (isVisible())
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MeasuredPlot::showSamples()
{
    const core::Interval span = m_series.course.span.value_or(core::Interval{0.0, 1.0});
    const core::Interval range = widened(span.lower, span.upper, kMargin);
    setSpan(range.lower, range.upper);
}

void MeasuredPlot::showWholeCell()
{
    if (!m_series.course.hasTimes)
        return showSamples();
    const double end =
        std::max(m_series.course.seconds, m_series.course.span ? m_series.course.span->upper : 0.0);
    const core::Interval range = widened(0.0, end, kMargin);
    setSpan(range.lower, range.upper);
}

core::Interval MeasuredPlot::visibleSpan() const
{
    const QCPRange range = m_strips.front()->axis(QCPAxis::atBottom)->range();
    return {range.lower, range.upper};
}

QPointF MeasuredPlot::positionOf(const core::CoursePass& pass) const
{
    QCPAxisRect* strip = m_strips.front();
    return m_plot->mapToParent(QPointF(strip->axis(QCPAxis::atBottom)->coordToPixel(pass.at),
                                       strip->axis(QCPAxis::atLeft)->coordToPixel(shown(pass)))
                                   .toPoint());
}

QString MeasuredPlot::passText(const core::CoursePass& pass) const
{
    constexpr int kDigits = 4;
    const QString number = QLocale().toString(static_cast<qulonglong>(pass.index + 1));
    QString text = pass.kind == core::PassKind::WarmUp
                       ? tr("Warm-up pass %1: %2").arg(number, durationText(pass.seconds, kDigits))
                       : tr("Sample %1: %2").arg(number, durationText(pass.seconds, kDigits));
    if (m_series.course.hasTimes)
        text += QLatin1Char('\n') + tr("at %1").arg(durationText(pass.at, kDigits));
    if (pass.kind == core::PassKind::Discarded)
        text +=
            QLatin1Char('\n') + tr("does not count: %1").arg(QString::fromStdString(pass.cause));
    if (pass.seconds * m_unit.perSecond > m_most)
        text += QLatin1Char('\n') + tr("beyond the top, drawn at the edge");
    return text;
}

QString MeasuredPlot::deviceText(double at) const
{
    const std::vector<core::DevicePoint>& points = m_series.trace.points;
    // The point whose reading is drawn here: the last before.
    const auto after = std::upper_bound(
        points.begin(), points.end(), at,
        [](double time, const core::DevicePoint& point) { return time < point.at; });
    if (after == points.begin())
        return {};
    const core::DevicePoint& point = *(after - 1);
    const QLocale locale;
    QStringList parts;
    if (point.smClockMegahertz)
        parts << tr("%1 MHz").arg(locale.toString(*point.smClockMegahertz, 'f', 0));
    if (point.powerWatts)
        parts << tr("%1 W").arg(locale.toString(*point.powerWatts, 'f', 0));
    if (point.temperatureCelsius)
        parts << tr("%1 °C").arg(locale.toString(*point.temperatureCelsius, 'f', 0));
    QString text =
        tr("at %1: %2").arg(durationText(point.at, 4), parts.join(QStringLiteral(" · ")));
    for (const std::string& reason : core::slowdownReasons(point.slowdownBits.value_or(0)))
        text += QLatin1Char('\n') + tr("slowed down: %1").arg(QString::fromStdString(reason));
    return text;
}

QString MeasuredPlot::textAt(const QPointF& position) const
{
    const QPointF inside = m_plot->mapFromParent(position.toPoint());
    // Marks at the edge are on it.
    if (m_strips.front()->rect().adjusted(-1, -3, 1, 3).contains(inside.toPoint())) {
        const core::CoursePass* nearest = nullptr;
        double reach = kReachPixels;
        for (const core::CoursePass& pass : m_series.course.passes) {
            const QPointF away = positionOf(pass) - position;
            if (const double distance = std::hypot(away.x(), away.y()); distance < reach) {
                reach = distance;
                nearest = &pass;
            }
        }
        return nearest == nullptr ? QString() : passText(*nearest);
    }
    for (std::size_t i = 1; i < m_strips.size(); ++i) {
        if (m_strips[i]->rect().contains(inside.toPoint()))
            return deviceText(m_strips[i]->axis(QCPAxis::atBottom)->pixelToCoord(inside.x()));
    }
    return {};
}

QString MeasuredPlot::legend() const
{
    const Colours colours = coloursOf(m_theme);
    const auto mark = [](const QColor& colour, const QString& sign, const QString& text) {
        return QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;%3")
            .arg(colour.name(), sign,
                 QString(text).replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    };
    QStringList parts{mark(colours.sample, QStringLiteral("●"), tr("samples")),
                      mark(colours.sample, QStringLiteral("▬"), tr("median and quartiles"))};
    const auto has = [&](core::PassKind kind) {
        const auto& passes = m_series.course.passes;
        return std::any_of(passes.begin(), passes.end(),
                           [&](const core::CoursePass& pass) { return pass.kind == kind; });
    };
    if (has(core::PassKind::WarmUp))
        parts << mark(colours.warmup, QStringLiteral("○"), tr("warm-up"));
    if (has(core::PassKind::Discarded))
        parts << mark(colours.discarded, QStringLiteral("✕"), tr("does not count"));
    if (m_series.course.hasTimes && !m_series.course.slowdowns.empty())
        parts << mark(colours.discarded, QStringLiteral("▒"), tr("slowed down"));
    if (m_histogram != nullptr)
        parts << mark(colours.sample, QStringLiteral("▙"), tr("how often"));
    return parts.join(QStringLiteral(" &nbsp; "));
}

void MeasuredPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuild();
    QWidget::changeEvent(event);
}

void MeasuredPlot::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void MeasuredPlot::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void MeasuredPlot::keyPressEvent(QKeyEvent* event)
{
    constexpr double kStep = 0.2;
    const core::Interval span = visibleSpan();
    const double step = kStep * (span.upper - span.lower);
    switch (event->key()) {
    case Qt::Key_Left:
        return setSpan(span.lower - step, span.upper - step);
    case Qt::Key_Right:
        return setSpan(span.lower + step, span.upper + step);
    case Qt::Key_Plus:
        return setSpan(span.lower + step / 2, span.upper - step / 2);
    case Qt::Key_Minus:
        return setSpan(span.lower - step / 2, span.upper + step / 2);
    case Qt::Key_Home:
        return showSamples();
    case Qt::Key_End:
        return showWholeCell();
    default:
        QWidget::keyPressEvent(event);
    }
}

}  // namespace qs::widgets
