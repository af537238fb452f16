#include "widgets/plot/sensitivity_plot.h"

#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_axes.h"
#include "widgets/plot/qcustomplot.h"

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kReachOfMouse = 8.0;  // of the mouse, in pixels
constexpr int kDigits = 3;

}  // namespace

SensitivityPlot::SensitivityPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setMinimumSize(200, 160);
    m_plot->installEventFilter(this);
    draw();
}

void SensitivityPlot::setPoints(std::vector<SensitivityPoint> points, const QString& gainTitle,
                                const QString& lossTitle)
{
    m_points = std::move(points);
    m_gainTitle = gainTitle;
    m_lossTitle = lossTitle;
    draw();
}

void SensitivityPlot::setKept(std::size_t kept)
{
    m_kept = kept;
    draw();
}

QPointF SensitivityPlot::placeOf(std::size_t point) const
{
    const SensitivityPoint& at = m_points[point];
    return QPointF(m_plot->pos()) +
           QPointF(m_plot->xAxis->coordToPixel(at.gain), m_plot->yAxis->coordToPixel(at.loss));
}

void SensitivityPlot::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

bool SensitivityPlot::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* released = static_cast<QMouseEvent*>(event);
        const SensitivityPoint* point = pointAt(released->position());
        if (released->button() == Qt::LeftButton && point != nullptr)
            Q_EMIT cellClicked(point->cellId);
    } else if (event->type() == QEvent::ToolTip) {
        const auto* asked = static_cast<QHelpEvent*>(event);
        const SensitivityPoint* point = pointAt(asked->pos());
        QString text;
        if (point != nullptr)
            text = QStringLiteral("%1\n%2: %3\n%4: %5")
                       .arg(point->name, m_gainTitle, significantText(point->gain, kDigits),
                            m_lossTitle, significantText(point->loss, kDigits));
        QToolTip::showText(asked->globalPos(), plainTip(text), m_plot);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

const SensitivityPoint* SensitivityPlot::pointAt(const QPointF& place) const
{
    const SensitivityPoint* nearest = nullptr;
    double least = kReachOfMouse;
    for (const SensitivityPoint& point : m_points) {
        const QPointF off = QPointF(m_plot->xAxis->coordToPixel(point.gain),
                                    m_plot->yAxis->coordToPixel(point.loss)) -
                            place;
        const double distance = std::hypot(off.x(), off.y());
        if (distance <= least) {
            least = distance;
            nearest = &point;
        }
    }
    return nearest;
}

void SensitivityPlot::addPoints(std::size_t first, std::size_t end, bool kept)
{
    const PlotTheme theme = screenTheme(palette(), font());
    const QColor colour = theme.dark ? QColor(0x50, 0xa8, 0xff) : QColor(0x2b, 0x6c, 0xb0);
    QCPGraph* graph = m_plot->addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1.6),
                                           kept ? QBrush(Qt::NoBrush) : QBrush(colour),
                                           theme.markerSize));
    for (std::size_t i = first; i < end; ++i)
        graph->addData(m_points[i].gain, m_points[i].loss);
}

void SensitivityPlot::draw()
{
    m_plot->clearPlottables();
    CurveSet set;
    set.scatter = true;
    set.xLabel = m_gainTitle;
    set.yLabel = m_lossTitle;
    CurveLook look;
    look.theme = screenTheme(palette(), font());
    look.logarithmicX = false;
    styleAxes(*m_plot, set, look);
    const std::size_t kept = std::min(m_kept, m_points.size());
    addPoints(0, kept, true);
    addPoints(kept, m_points.size(), false);
    m_plot->rescaleAxes();
    // From nothing lost and gained on, with room for whole points at the edges.
    constexpr double kRoom = 0.06;
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        QCPRange range = axis->range();
        range.expand(0.0);
        const double room = range.size() > 0.0 ? kRoom * range.size() : 1.0;
        axis->setRange(range.lower - room, range.upper + room);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace qs::widgets

#include "moc_sensitivity_plot.cpp"
