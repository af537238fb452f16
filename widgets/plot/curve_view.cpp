#include "widgets/plot/curve_view.h"

#include "widgets/layout/elided_combo_box.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/layout/menu_button.h"
#include "widgets/layout/toggle_button.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/curve_references.h"
#include "widgets/plot/curve_roof.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/metric_list.h"
#include "widgets/plot/quality_rules.h"
#include "widgets/plot/swept_axes.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kCurveRefreshMilliseconds = 33;

}  // namespace

CurveView::CurveView(RunStore& store, QWidget* parent) : QWidget(parent), m_store(store)
{
    setObjectName(QStringLiteral("curveView"));
    buildControls();
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kCurveRefreshMilliseconds);
    connect(&m_refresh, &QTimer::timeout, this, &CurveView::refresh);
    // In an event of its own: every view of ten thousand cells takes its time.
    connect(&store, &RunStore::runReplaced, this, &CurveView::replaceRun, Qt::QueuedConnection);
    connect(&store, &RunStore::analysisChanged, this, &CurveView::scheduleRefresh);
    connect(&store.others(), &OtherRuns::changed, &m_refresh, qOverload<>(&QTimer::start));
    connect(&store.others(), &OtherRuns::changed, this, &CurveView::markSelection);
    connect(&store, &RunStore::selectionChanged, this, &CurveView::markSelection);
    connect(m_plot, &CurvePlot::cellClicked, this, &CurveView::choosePoint);
    m_plot->setToolTips([this](const QString& id) { return toolTipOf(id); });
    connect(m_plot, &CurvePlot::curvesToggled, this, &CurveView::refreshCurveMenu);
    connect(m_plot, &CurvePlot::curvesToggled, this, &CurveView::showNote);
    replaceRun();
}

void CurveView::buildControls()
{
    m_metric = new ElidedComboBox;
    m_metric->setObjectName(QStringLiteral("curveMetric"));
    // The names are long: the closed box shows their beginning.
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(10);
    m_metric->setToolTip(tr("What the vertical axis shows"));
    prepareMetricList(*m_metric);
    // The open list is as wide as the names.
    const int letter = fontMetrics().averageCharWidth();
    m_metric->setMinimumWidth(letter * 16);
    m_axis = new QComboBox;
    m_axis->setObjectName(QStringLiteral("curveAxis"));
    m_axis->setToolTip(tr("What the horizontal axis shows: a swept axis of the plan"));
    m_axis->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_axis->setMinimumWidth(letter * 10);
    m_plot = new CurvePlot;
    m_plot->setAccessibleName(tr("Curves of the run"));
    m_plot->setAccessibleDescription(
        tr("Left and right walk along a curve, up and down to the next one, + and − zoom"));
    buildSwitches();
    m_curvesMenu = new QMenu(this);
    m_curvesButton = new MenuButton;
    m_curvesButton->setObjectName(QStringLiteral("curveMenu"));
    m_curvesButton->setText(tr("Curves"));
    m_curvesButton->setToolTip(
        tr("Hide and show curves; Ctrl and a click on the legend does the same"));
    m_curvesButton->setMenu(m_curvesMenu);
    m_note = new ElidedParagraph(1);
    m_note->setObjectName(QStringLiteral("curveNote"));
    // Its line is kept while there is nothing to say: the plot may not change its size.
    m_note->setFixedHeight(m_note->sizeHint().height());

    layOut();
    connectControls();
}

void CurveView::buildSwitches()
{
    m_logarithmicX = new QCheckBox(tr("log x"));
    m_logarithmicX->setObjectName(QStringLiteral("curveLogX"));
    m_logarithmicX->setToolTip(tr("Equal steps for equal factors; batch sizes in powers of two"));
    m_logarithmicX->setChecked(true);
    m_logarithmicY = new QCheckBox(tr("log y"));
    m_logarithmicY->setObjectName(QStringLiteral("curveLogY"));
    m_logarithmicY->setToolTip(tr("Equal steps for equal factors"));
    m_roof = new QCheckBox(tr("Peak"));
    m_roof->setObjectName(QStringLiteral("curveRoof"));
    m_roof->setChecked(true);
    m_reset = new QToolButton(m_plot);  // over the plot, while there is something to reset
    m_reset->setObjectName(QStringLiteral("curveReset"));
    m_reset->setText(tr("Show all"));
    m_reset->setToolTip(
        tr("Back to everything (Home, or a double click). The wheel zooms, dragging moves."));
    m_reset->setAutoRaise(false);
    m_reset->hide();
}

void CurveView::layOut()
{
    // In as many rows as it takes: the bar may not force a width on the window.
    auto* controls = new QWidget;
    auto* bar = new FlowLayout(controls, fontMetrics().averageCharWidth());
    auto* over = new QLabel(tr("over", "throughput over batch"));
    over->setBuddy(m_axis);
    for (QWidget* widget : {static_cast<QWidget*>(m_metric), static_cast<QWidget*>(over),
                            static_cast<QWidget*>(m_axis), static_cast<QWidget*>(m_logarithmicX),
                            static_cast<QWidget*>(m_logarithmicY), static_cast<QWidget*>(m_roof),
                            static_cast<QWidget*>(m_curvesButton)})
        bar->addWidget(widget);
    m_large = new LargeButton(QStringLiteral("curvesLarge"));
    m_large->setToolTip(tr("The plot in the whole window (Shift+F11)"));
    bar->addWidget(m_large);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 2);
    column->setSpacing(4);
    column->addWidget(controls);
    column->addWidget(m_plot, 1);
    column->addWidget(m_note);
    setFocusProxy(m_plot);
}

void CurveView::connectControls()
{
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        m_chosenMetric = m_metric->currentData().toString();
        refresh();
    });
    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        m_chosenAxis = axis();
        refresh();
    });
    const auto scale = [this] {
        m_plot->setLogarithmic(m_logarithmicX->isChecked(), m_logarithmicY->isChecked());
    };
    connect(m_logarithmicX, &QCheckBox::toggled, this, scale);
    connect(m_logarithmicY, &QCheckBox::toggled, this, scale);
    connect(m_roof, &QCheckBox::toggled, this, [this](bool shown) {
        m_plot->setRoofsShown(shown);
        refresh();
    });
    connect(m_plot, &CurvePlot::viewChanged, this, &CurveView::showNote);
    connect(m_reset, &QToolButton::clicked, m_plot, &CurvePlot::resetZoom);
    connect(m_plot, &CurvePlot::viewChanged, this, [this](bool zoomed) {
        // In the corner of the axes, where curves rarely are.
        m_reset->move(m_reset->fontMetrics().averageCharWidth() * 12, 6);
        m_reset->adjustSize();
        m_reset->setVisible(zoomed);
        m_reset->raise();
    });
}

void CurveView::setMetric(const QString& metric)
{
    if (const int index = m_metric->findData(metric); index >= 0)
        m_metric->setCurrentIndex(index);
}

void CurveView::setAxis(const QString& axis)
{
    if (const int index = m_axis->findData(axis); index >= 0)
        m_axis->setCurrentIndex(index);
}

void CurveView::setQuestion(const core::AnswerQuestion& question)
{
    m_question = question;
    refresh();
}

void CurveView::setReferences(std::vector<core::RunReference> references)
{
    const bool same = references.empty() && m_references.empty();
    m_references = std::move(references);
    if (!same)
        refresh();
}

const core::Metric& CurveView::shownMetric() const
{
    const core::Metric* chosen =
        core::metricRegistry().find(m_metric->currentData().toString().toStdString());
    return chosen != nullptr ? *chosen : *core::metricRegistry().find("throughput");
}

QString CurveView::axis() const
{
    return m_axis->currentData().toString();
}

void CurveView::setRunning(bool running)
{
    m_running = running;
    m_plot->setEmptyText(emptyText());
    m_plot->setAwaiting(running);
    showNote();
}

void CurveView::replaceRun()
{
    refreshAxes();
    refresh();
    markSelection();
    m_plot->resetZoom();
}

void CurveView::scheduleRefresh()
{
    if (!m_refresh.isActive() && m_drawn != m_store.revision())
        m_refresh.start();
}

bool CurveView::isDrawn() const
{
    return !m_refresh.isActive() && m_drawn == m_store.revision();
}

void CurveView::refreshAxes()
{
    const QSignalBlocker quiet(m_axis);
    m_axis->clear();
    const QStringList axes = sweptAxes(m_store.analysis());
    for (const QString& name : axes)
        m_axis->addItem(axisTitle(name), name);
    const int chosen = m_axis->findData(m_chosenAxis);
    m_axis->setCurrentIndex(chosen >= 0 ? chosen
                                        : m_axis->findData(firstAxis(axes, m_store.analysis())));
}

// Which metrics there are shows when cells have been measured. What was not chosen does not stay.
void CurveView::refreshMetrics()
{
    const auto plotted = plottedMetrics(m_store.analysis());
    if (hasMetrics(*m_metric, plotted, m_store.analysis()))
        return;
    const QSignalBlocker quiet(m_metric);
    fillMetricList(*m_metric, plotted, m_chosenMetric, m_store.analysis());
}

void CurveView::refresh()
{
    m_refresh.stop();
    refreshMetrics();
    m_drawn = m_store.revision();
    m_plot->setEmptyText(emptyText());
    CurveSet set = makeCurves(m_store.analysis(), m_store.baseline(), shownMetric(), axis());
    set.roofs = makeRoofs(set, m_store.data());
    set.rules = qualityRules(m_store.analysis(), shownMetric(), m_question);
    for (CurveRule& rule : set.rules)
        rule.level = true;
    layOver(set, m_store.others().beside());
    addReferences(set, m_store.analysis(), m_references);
    m_plot->setCurves(std::move(set));
    m_logarithmicX->setEnabled(m_plot->curves().categories.isEmpty());
    showNote();
    const bool hasRoof = !m_plot->curves().roofs.empty();
    m_roof->setEnabled(hasRoof);
    m_roof->setToolTip(plainTip(
        hasRoof ? tr("The limit of the device: its published peak rate, or its memory")
                : tr("The peak of this device is unknown, or does not apply to this metric")));
    refreshCurveMenu();
}

void CurveView::toggleLogarithmicY()
{
    m_logarithmicY->toggle();
}

void CurveView::showNote()
{
    QStringList notes{unseenText(*m_plot), m_plot->curves().note};
    if (m_running && m_plot->curves().empty() && !m_store.isEmpty())
        notes << emptyText().section(QLatin1Char('\n'), 0, 0);
    // Precisions and compile modes name all other curves.
    const int each = curvesToName(m_plot->curves());
    if (m_plot->look().legend == LegendPlace::None && !legendEntries(m_plot->curves()).empty())
        notes << tr("No room for the legend: make the plot taller, or see the menu Curves.");
    else if (each > m_plot->look().legendEntries)
        notes << tr("The legend lists %1 of %2 curves; see the menu Curves for all.")
                     .arg(m_plot->look().legendEntries)
                     .arg(each);
    notes << offScaleNote();
    notes.removeAll(QString());
    // A line may end after a slash, but "TFLOP/" on one and "s" on the next cannot be read.
    m_note->setText(
        notes.join(QLatin1Char(' ')).replace(QStringLiteral("/s"), QStringLiteral("/\u2060s")));
    m_note->setToolTip(plainTip(notes.join(QLatin1Char('\n'))));
}

QString CurveView::offScaleNote() const
{
    QStringList far = farRules(m_plot->curves(), m_plot->look());
    for (const CurveRoof& roof : m_plot->curves().roofs) {
        if (!m_roof->isChecked() || !roofIsFar(m_plot->curves(), roof))
            continue;
        double top = 0.0;
        for (const QPointF& point : roof.points)
            top = std::max(top, point.y());
        far << tr("%1 (%2 %3)")
                   .arg(roof.name, significantText(top, 3),
                        metricUnit(*m_plot->curves().metric, workUnitOf(m_store.analysis())));
    }
    return far.isEmpty() ? QString() : tr("Off scale: %1.").arg(far.join(QStringLiteral("; ")));
}

QString CurveView::emptyText() const
{
    const auto& cells = m_store.analysis().cells;
    const bool measured =
        std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.measured; });
    if (!measured && m_running)
        return tr("Waiting for the first cell…");
    if (m_store.isEmpty() || m_store.data().measurements.empty())
        return tr("Nothing measured yet.\nRun the sweep (Ctrl+R) or open a run folder (Ctrl+O).");
    if (!measured)
        return tr("No cell succeeded; see the table for reasons.");
    if (isQuality(shownMetric()) && core::isUntrained(m_store.data().plan))
        return tr("The weights or inputs of this run are random, so quality is meaningless.\nThe "
                  "table shows the numeric deviation.");
    if (isQuality(shownMetric()))
        return tr("No output has been compared with the quality reference yet.");
    return tr("No cell has this metric.");
}

core::Result<CurveFigure> CurveView::paintFigure(CurveExport options) const
{
    if (m_plot->curves().empty())
        return core::Error{core::ErrorCode::InvalidArgument, "no curves to export"};
    options.range = m_plot->visibleRange();
    return widgets::paintFigure(m_plot->curves(), m_plot->look(), options);
}

}  // namespace qs::widgets

#include "moc_curve_view.cpp"
