// What MeasuredPlot draws on its strips.
#include "widgets/measured/measured_plot.h"
#include "widgets/measured/measured_plot_parts.h"

namespace qs::widgets {

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
    const MeasuredColours colours = coloursOf(m_theme);
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
    const MeasuredColours colours = coloursOf(m_theme);
    drawReading(
        tr("MHz"), [](const core::DevicePoint& point) { return point.smClockMegahertz; },
        colours.clock);
    drawReading(
        tr("W"), [](const core::DevicePoint& point) { return point.powerWatts; }, colours.power);
    drawReading(
        tr("°C"), [](const core::DevicePoint& point) { return point.temperatureCelsius; },
        colours.temperature);
    drawCapped();
}

// Both counters on one strip: heat lies over power, where it is seldom.
void MeasuredPlot::drawCapped()
{
    const auto& stretches = m_series.course.capped;
    if (stretches.empty())
        return;
    QCPAxisRect* strip = addStrip(tr("%"), kReadingStretch);
    const auto draw = [&](std::optional<double> core::CappedStretch::*member,
                          const QColor& colour) {
        auto* graph =
            m_plot->addGraph(strip->axis(QCPAxis::atBottom), strip->axis(QCPAxis::atLeft));
        graph->setPen(QPen(colour, m_theme.lineWidth));
        graph->setLineStyle(QCPGraph::lsStepLeft);
        QColor fill = colour;
        fill.setAlpha(m_theme.dark ? 70 : 50);
        graph->setBrush(fill);
        for (const core::CappedStretch& stretch : stretches) {
            if (stretch.*member) {
                graph->addData(stretch.from, *(stretch.*member));
                graph->addData(stretch.to, *(stretch.*member));
            }
        }
    };
    const MeasuredColours colours = coloursOf(m_theme);
    draw(&core::CappedStretch::power, colours.power);
    draw(&core::CappedStretch::thermal, colours.temperature);
    constexpr double kMargin = 6.0;  // per cent: a line at the edge is seen
    strip->axis(QCPAxis::atLeft)->setRange(-kMargin, 100.0 + kMargin);
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

}  // namespace qs::widgets
