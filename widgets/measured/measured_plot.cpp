#include "widgets/measured/measured_plot.h"

#include "core/device/clock_reasons.h"
#include "core/report/words/evidence_text.h"
#include "widgets/measured/measured_plot_parts.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/focus_frame.h"

#include <QKeyEvent>
#include <QLocale>
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

QString percent(double value)
{
    return QLocale().toString(value, 'f', 0);
}

}  // namespace

MeasuredPlot::MeasuredPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot)
{
    setObjectName(QStringLiteral("measuredPlot"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Samples, clock, power and temperature over time"));
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
            QToolTip::showText(event->globalPosition().toPoint(), plainTip(text), m_plot);
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
    time->setLabel(tr("seconds after the start of the cell"));
    linkAxes();
    showSamples();
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
    QString text =
        pass.kind == core::PassKind::WarmUp
            ? tr("Warm-up sample %1: %2").arg(number, durationText(pass.seconds, kDigits))
            : tr("Sample %1: %2").arg(number, durationText(pass.seconds, kDigits));
    text += QLatin1Char('\n') + tr("at %1").arg(durationText(pass.at, kDigits));
    if (pass.discard)
        text += QLatin1Char('\n') +
                tr("discarded: %1").arg(QString::fromStdString(core::discardText(*pass.discard)));
    if (pass.seconds * m_unit.perSecond > m_most)
        text += QLatin1Char('\n') + tr("above the visible range, drawn at its edge");
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
    const auto& stretches = m_series.course.capped;
    const auto capped =
        std::find_if(stretches.begin(), stretches.end(), [&](const core::CappedStretch& stretch) {
            return stretch.from <= at && at < stretch.to;
        });
    if (capped != stretches.end()) {
        QStringList held;
        if (capped->power)
            held << tr("power %1 % of the time").arg(percent(*capped->power));
        if (capped->thermal)
            held << tr("temperature %1 % of the time").arg(percent(*capped->thermal));
        text += QLatin1Char('\n') + tr("throttled, %1").arg(held.join(QStringLiteral(", ")));
    }
    for (const std::string& reason : core::slowdownReasons(point.slowdownBits.value_or(0)))
        text += QLatin1Char('\n') + tr("throttled: %1").arg(QString::fromStdString(reason));
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
    const MeasuredColours colours = coloursOf(m_theme);
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
        parts << mark(colours.discarded, QStringLiteral("✕"), tr("discarded"));
    if (!m_series.course.slowdowns.empty())
        parts << mark(colours.discarded, QStringLiteral("▒"), tr("throttled"));
    if (!m_series.course.capped.empty())
        parts << mark(colours.power, QStringLiteral("■"), tr("% of the time throttled by power"))
              << mark(colours.temperature, QStringLiteral("■"), tr("by temperature"));
    if (m_histogram != nullptr)
        parts << mark(colours.sample, QStringLiteral("▙"), tr("count"));
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
    paintFocusFrame(*this);
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

#include "moc_measured_plot.cpp"
