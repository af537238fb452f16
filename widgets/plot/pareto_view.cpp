#include "widgets/plot/pareto_view.h"

#include "widgets/layout/elided_combo_box.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/layout/toggle_button.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/metric_list.h"
#include "widgets/plot/pareto_series.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace qs::widgets {

namespace {

constexpr int kRefreshMilliseconds = 100;

const core::Metric* chosen(const QComboBox& box)
{
    return core::metricRegistry().find(box.currentData().toString().toStdString());
}

}  // namespace

ParetoView::ParetoView(RunStore& store, QWidget* parent) : QWidget(parent), m_store(store)
{
    setObjectName(QStringLiteral("paretoView"));
    build();
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMilliseconds);
    connect(&m_refresh, &QTimer::timeout, this, &ParetoView::refresh);
    connect(&store, &RunStore::analysisChanged, this, [this] {
        if (!m_refresh.isActive())
            m_refresh.start();
    });
    connect(&store.others(), &OtherRuns::changed, &m_refresh, qOverload<>(&QTimer::start));
    connect(&store.others(), &OtherRuns::changed, this, &ParetoView::markSelection);
    connect(&store, &RunStore::selectionChanged, this, &ParetoView::markSelection);
    connect(m_plot, &CurvePlot::cellClicked, this, &ParetoView::choosePoint);
    connect(m_plot, &CurvePlot::viewChanged, this, &ParetoView::showNote);
    m_plot->setToolTips([this](const QString& id) { return toolTipOf(id); });
    for (auto [box, wanted] :
         {std::pair(m_metric, &m_wantedMetric), std::pair(m_quality, &m_wantedQuality)})
        connect(box, &QComboBox::currentIndexChanged, this, [this, box, wanted] {
            *wanted = box->currentData();
            refresh();
        });
    refresh();
}

void ParetoView::build()
{
    const auto chooser = [](const char* name, const QString& tip) {
        auto* box = new ElidedComboBox;
        box->setObjectName(QString::fromLatin1(name));
        box->setToolTip(plainTip(tip));
        prepareMetricList(*box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
        return box;
    };
    m_metric = chooser("paretoMetric", tr("What the vertical axis shows"));
    m_quality = chooser("paretoQuality", tr("The measure of quality on the horizontal axis"));
    m_plot = new CurvePlot;
    m_plot->setObjectName(QStringLiteral("paretoPlot"));
    m_plot->setAccessibleName(tr("Quality against speed"));
    m_plot->setAccessibleDescription(tr("Every cell as a point; its area is its memory"));
    m_note = new ElidedParagraph(1);
    m_note->setObjectName(QStringLiteral("paretoNote"));
    // Its line is kept while there is nothing to say: the plot may not change its size.
    m_note->setFixedHeight(m_note->sizeHint().height());
    auto* controls = new QWidget;
    auto* bar = new FlowLayout(controls, fontMetrics().averageCharWidth());
    auto* against = new QLabel(tr("against", "speed-up against quality"));
    against->setBuddy(m_quality);
    for (QWidget* widget : {static_cast<QWidget*>(m_metric), static_cast<QWidget*>(against),
                            static_cast<QWidget*>(m_quality)})
        bar->addWidget(widget);
    m_large = new LargeButton(QStringLiteral("paretoLarge"));
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

void ParetoView::setQuestion(const core::AnswerQuestion& question)
{
    m_question = question;
    refresh();
}

void ParetoView::fill(QComboBox& box, const std::vector<const core::Metric*>& metrics,
                      const QVariant& wanted)
{
    const QSignalBlocker quiet(&box);
    fillMetricList(box, metrics, wanted, m_store.analysis());
    box.setEnabled(metrics.size() > 1);
}

void ParetoView::refreshChoices()
{
    // What an empty run might have is no choice to keep.
    if (m_store.isEmpty()) {
        fill(*m_metric, {}, {});
        fill(*m_quality, {}, {});
        return;
    }
    std::vector<const core::Metric*> others;
    for (const core::Metric* metric : plottedMetrics(m_store.analysis())) {
        if (!isQuality(*metric))
            others.push_back(metric);
    }
    // Speed-up first: throughputs of several batches would only show the batches.
    std::stable_partition(others.begin(), others.end(),
                          [](const core::Metric* metric) { return metric->name == "speedup"; });
    fill(*m_metric, others, m_wantedMetric);
    fill(*m_quality, qualityMetrics(m_store.analysis()), m_wantedQuality);
}

void ParetoView::refresh()
{
    m_refresh.stop();
    refreshChoices();
    const core::Metric* metric = chosen(*m_metric);
    const core::Metric* quality = chosen(*m_quality);
    m_plot->setEmptyText(m_store.isEmpty() ? tr("Open a run or start one.")
                         : core::isUntrained(m_store.data().plan)
                             ? tr("The weights or inputs of this run are random, so "
                                  "quality is meaningless.")
                             : tr("No output has been compared with the quality "
                                  "reference yet."));
    CurveSet set;
    set.metric = metric;
    if (metric != nullptr && quality != nullptr)
        set = makeSet(*metric, *quality);
    m_plot->setCurves(std::move(set));
    markSelection();
    showNote();
}

CurveSet ParetoView::makeSet(const core::Metric& metric, const core::Metric& quality) const
{
    const OtherRuns::Beside& beside = m_store.others().beside();
    // One scale for the areas of all runs.
    std::int64_t largest = mostMemory(m_store.analysis());
    for (const auto& each : beside)
        largest = std::max(largest, mostMemory(each->run->analysis));
    CurveSet set =
        makePareto(m_store.analysis(), m_store.baseline(), metric, quality, m_question, largest);
    layOver(set, beside, [&](const OtherRun& run, const QString& baseline) {
        return makePareto(run.analysis, baseline, metric, quality, m_question, largest);
    });
    return set;
}

void ParetoView::choosePoint(const QString& pointId)
{
    if (!m_point.choose(pointId))
        m_note->setText(notInViewText(m_store.others().beside(), pointId));
    markSelection();
}

void ParetoView::markSelection()
{
    m_plot->setSelectedCell(m_point.marked());
}

void ParetoView::showNote()
{
    const CurveSet& set = m_plot->curves();
    QStringList notes{unseenText(*m_plot),
                      set.empty() ? QString() : tr("Area of a point: its memory."), set.note};
    if (const QStringList far = farRules(set, m_plot->look()); !far.isEmpty())
        notes << tr("Off scale: %1.").arg(far.join(QStringLiteral("; ")));
    if (!set.empty() && m_plot->look().legend == LegendPlace::None)
        notes.prepend(tr("No room for the legend: make the plot taller."));
    else if (const int each = curvesToName(set); each > m_plot->look().legendEntries)
        notes.prepend(tr("The legend lists %1 of %2 kinds of points; point at one for its name.")
                          .arg(m_plot->look().legendEntries)
                          .arg(each));
    notes.removeAll(QString());
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setToolTip(plainTip(m_note->text()));
}

QString ParetoView::toolTipOf(const QString& pointId) const
{
    const core::Metric* metric = chosen(*m_metric);
    const core::Metric* quality = chosen(*m_quality);
    if (metric == nullptr || quality == nullptr)
        return {};
    const OtherRuns::Beside& beside = m_store.others().beside();
    const auto overlaid = overlaidCell(pointId);
    if (overlaid && overlaid->run >= beside.size())
        return {};
    const core::Analysis& analysis =
        overlaid ? beside[overlaid->run]->run->analysis : m_store.analysis();
    const core::CellSummary* cell =
        analysis.find((overlaid ? overlaid->cellId : pointId).toStdString());
    if (cell == nullptr)
        return {};
    QString text = overlaid ? overlaidToolTip(beside, *overlaid, *metric)
                            : pointToolTip(analysis, m_store.baseline(), *metric, *cell);
    if (const auto value = MetricReader(*quality, analysis).value(*cell))
        text += QStringLiteral("\n%1: %2")
                    .arg(metricTitle(*quality), significantText(*value, quality->digits));
    return text;
}

core::Result<CurveFigure> ParetoView::paintFigure(CurveExport options) const
{
    if (m_plot->curves().empty())
        return core::Error{core::ErrorCode::InvalidArgument, "no curves or points to export"};
    options.range = m_plot->visibleRange();
    return widgets::paintFigure(m_plot->curves(), m_plot->look(), options);
}

}  // namespace qs::widgets

#include "moc_pareto_view.cpp"
