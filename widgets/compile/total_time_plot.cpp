#include "widgets/compile/total_time_plot.h"

#include "core/base/format.h"
#include "widgets/compile/total_time_names.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/axis_ticker.h"
#include "widgets/plot/legend_layout.h"
#include "widgets/plot/qcustomplot.h"

#include <QEvent>
#include <QLocale>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

constexpr int kLeastPixels = 20;        // QCustomPlot cannot paint on nothing
constexpr double kReachInPixels = 8.0;  // how near to a line counts as on it
constexpr int kPointsOfLine = 96;       // a straight line is bent on logarithmic axes
constexpr double kRoomAbove = 1.6;
constexpr double kRoomBelow = 0.8;

QString secondsText(double seconds)
{
    return QString::fromStdString(core::formatSeconds(seconds));
}

// Numbers of passes from the first on, evenly on a logarithmic axis.
double passesAt(int point, double most)
{
    return std::pow(most, static_cast<double>(point) / (kPointsOfLine - 1));
}

std::vector<CurveStyle> stylesOf(const TotalTimes& times, const PlotTheme& theme)
{
    CurveSet set;
    for (const TotalTimeLine& line : times.lines) {
        Curve curve;
        curve.key = line.cellId;
        curve.name = line.name;
        curve.precision = line.precision;
        curve.compile = line.compile;
        set.curves.push_back(std::move(curve));
    }
    return curveStyles(set, theme);
}

}  // namespace

TotalTimePlot::TotalTimePlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot)
{
    setObjectName(QStringLiteral("totalTimePlot"));
    setAccessibleName(tr("Total time over the number of passes"));
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->setMinimumSize(kLeastPixels, kLeastPixels);
    m_plot->setInteractions({});
    m_plot->setLocale(QLocale());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (const TotalTimeLine* line = lineAt(event->position()))
            Q_EMIT cellClicked(line->cellId);
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const QString text = textAt(event->position());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(event->globalPosition().toPoint(), plainTip(text), m_plot);
    });
    rebuild();
}

void TotalTimePlot::setTimes(TotalTimes times)
{
    m_times = std::move(times);
    rebuild();
}

void TotalTimePlot::setSelectedCell(const QString& cellId)
{
    if (m_selected == cellId)
        return;
    m_selected = cellId;
    rebuild();
}

QSize TotalTimePlot::sizeHint() const
{
    const int letter = fontMetrics().averageCharWidth();
    return {letter * 70, letter * 34};
}

QSize TotalTimePlot::minimumSizeHint() const
{
    return {220, 140};
}

void TotalTimePlot::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuild();
}

void TotalTimePlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    rebuild();
}

void TotalTimePlot::rebuild()
{
    m_theme = screenTheme(palette(), font());
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_crossings = 0;
    styleAxes();
    // Only what stands for lines has an entry.
    m_plot->setAutoAddPlottableToLegend(false);
    const std::vector<CurveStyle> styles = stylesOf(m_times, m_theme);
    addNames(styles);
    for (std::size_t i = 0; i < m_times.lines.size(); ++i)
        drawLine(m_times.lines[i], styles[i]);
    for (std::size_t i = 0; i < m_times.lines.size(); ++i)
        drawCrossing(m_times.lines[i], m_times.lines.front(), styles[i].color);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// What the labels and the title of the vertical axis leave the horizontal one.
int TotalTimePlot::roomAcross() const
{
    constexpr int kBeside = 14;  // letters
    return std::max(kLeastPixels, width() - kBeside * fontMetrics().averageCharWidth());
}

void TotalTimePlot::styleAxes()
{
    m_plot->setBackground(m_theme.background);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        const auto ticker = QSharedPointer<AxisTicker>::create(10);
        if (axis == m_plot->xAxis)
            ticker->setRoom(m_theme.font, roomAcross());
        axis->setTicker(ticker);
        axis->setBasePen(QPen(m_theme.axis, 1.0));
        axis->setTickPen(QPen(m_theme.axis, 1.0));
        axis->setSubTickPen(QPen(m_theme.axis, 1.0));
        axis->setTickLabelColor(m_theme.text);
        axis->setLabelColor(m_theme.text);
        axis->setTickLabelFont(m_theme.font);
        axis->setLabelFont(m_theme.font);
        axis->grid()->setPen(QPen(m_theme.grid, 1.0));
    }
    m_plot->xAxis->setLabel(tr("Passes"));
    m_plot->yAxis->setLabel(tr("Total time (s)"));
    double least = 1.0;
    double most = 10.0;
    for (std::size_t i = 0; i < m_times.lines.size(); ++i) {
        const double first = m_times.lines[i].after(1.0);
        const double last = m_times.lines[i].after(m_times.mostPasses);
        least = i == 0 ? first : std::min(least, first);
        most = i == 0 ? last : std::max(most, last);
    }
    m_plot->xAxis->setRange(1.0, std::max(10.0, m_times.mostPasses));
    m_plot->yAxis->setRange(kRoomBelow * least, kRoomAbove * most);
}

// Below the axes, in rows; where that would leave them less than their share the tooltips of the
// lines have to do.
void TotalTimePlot::addNames(const std::vector<CurveStyle>& styles)
{
    constexpr double kShare = 0.3;
    const std::vector<LineName> names = lineNames(m_times, styles, m_theme);
    QStringList texts;
    for (const LineName& name : names)
        texts << name.text;
    CurveLook look;
    look.theme = m_theme;
    const int height = legendRows(texts, look, width()) * legendRowHeight(look);
    look.legend = height > kShare * this->height() ? LegendPlace::None : LegendPlace::Below;
    placeLegend(*m_plot, look);
    for (const LineName& name : names) {
        QCPGraph* entry = m_plot->addGraph();  // of nothing: for its pen and its name
        entry->setPen(name.pen);
        entry->setName(name.text);
        entry->addToLegend();
    }
}

void TotalTimePlot::drawLine(const TotalTimeLine& line, const CurveStyle& style)
{
    QCPGraph* graph = m_plot->addGraph();
    const bool bold = line.cellId == m_selected;
    graph->setPen(linePen(style, style.color, m_theme.lineWidth * (bold ? 2.0 : 1.0)));
    for (int i = 0; i < kPointsOfLine; ++i) {
        const double passes = passesAt(i, m_times.mostPasses);
        graph->addData(passes, line.after(passes));
    }
}

// Along the baseline: where the line of the cell may meet it.
void TotalTimePlot::drawCrossing(const TotalTimeLine& line, const TotalTimeLine& baseline,
                                 const QColor& colour)
{
    if (!line.breakEven || line.breakEven->result != core::BreakEvenResult::Wins)
        return;
    const core::BreakEven& found = *line.breakEven;
    const double from = std::max(1.0, found.interval->lower);
    const double to = std::min(m_times.mostPasses, found.interval->upper);
    if (from > m_times.mostPasses || to < from)
        return;
    ++m_crossings;
    QCPGraph* band = m_plot->addGraph();
    QColor pale = colour;
    pale.setAlpha(90);
    band->setPen(QPen(pale, 4.0 * m_theme.lineWidth, Qt::SolidLine, Qt::FlatCap));
    for (int i = 0; i < kPointsOfLine; ++i) {
        const double passes = from * passesAt(i, to / from);
        band->addData(passes, baseline.after(passes));
    }
    const double passes = std::max(1.0, *found.passes);
    QCPGraph* mark = m_plot->addGraph();
    mark->setLineStyle(QCPGraph::lsNone);
    mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(colour),
                                          QBrush(m_theme.background), 1.4 * m_theme.markerSize));
    mark->addData(passes, baseline.after(passes));
}

QPointF TotalTimePlot::positionOf(const TotalTimeLine& line, double passes) const
{
    const QPointF inPlot(m_plot->xAxis->coordToPixel(passes),
                         m_plot->yAxis->coordToPixel(line.after(passes)));
    return m_plot->mapToParent(inPlot.toPoint());
}

const TotalTimeLine* TotalTimePlot::lineAt(const QPointF& position) const
{
    if (!m_plot->axisRect()->rect().contains(position.toPoint()))
        return nullptr;
    const double passes = m_plot->xAxis->pixelToCoord(position.x());
    const TotalTimeLine* nearest = nullptr;
    double distance = kReachInPixels;
    for (const TotalTimeLine& line : m_times.lines) {
        const double away =
            std::abs(m_plot->yAxis->coordToPixel(line.after(passes)) - position.y());
        if (away > distance)
            continue;
        distance = away;
        nearest = &line;
    }
    return nearest;
}

QString TotalTimePlot::textAt(const QPointF& position) const
{
    const TotalTimeLine* line = lineAt(position);
    if (line == nullptr)
        return {};
    const double passes = std::round(m_plot->xAxis->pixelToCoord(position.x()));
    return tr("%1\n%2 after %3 passes; starts at %4, then %5 per pass")
        .arg(line->name, secondsText(line->after(passes)), significantText(passes, 3),
             secondsText(line->begin), secondsText(line->seconds));
}

}  // namespace qs::widgets

#include "moc_total_time_plot.cpp"
