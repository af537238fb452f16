#include "widgets/models/run_store.h"

#include "widgets/background/drop_in_pool.h"
#include "widgets/background/in_background.h"
#include "widgets/models/other_runs.h"

#include <QMetaObject>

#include <utility>

namespace qs::widgets {

namespace {

constexpr int kReadersPeriodMs = 50;

}  // namespace

RunStore::RunStore(QObject* parent)
    : QObject(parent),
      m_others(new OtherRuns(
          {.data = [this] { return snapshot(); }, .analysis = [this] { return analysisToKeep(); }},
          this))
{
    connect(this, &RunStore::analysisChanged, m_others, &OtherRuns::compare);
    m_readersGone.setSingleShot(true);
    m_readersGone.setInterval(kReadersPeriodMs);
    connect(&m_readersGone, &QTimer::timeout, this, &RunStore::addWaiting);
}

std::shared_ptr<const core::RunData> RunStore::snapshot() const
{
    // What the reader has read, it has read before the store sees that it is gone.
    struct Lease {
        explicit Lease(std::shared_ptr<Kept> data) : kept(std::move(data)) { ++kept->readers; }
        ~Lease() { kept->readers.fetch_sub(1, std::memory_order_release); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        std::shared_ptr<Kept> kept;
    };
    return {std::make_shared<Lease>(m_kept), &m_kept->data};
}

bool RunStore::mustWait()
{
    const bool isRead = m_kept->readers.load(std::memory_order_acquire) > 0;
    if (isRead && !m_analysing && !m_readersGone.isActive())
        m_readersGone.start();
    return isRead || m_analysing;
}

void RunStore::setRun(core::RunData data)
{
    core::Analysis analysis = core::analyse(data, data.plan.preset.speedBaseline);
    setRun(std::move(data), std::move(analysis));
}

void RunStore::setRun(core::RunData data, core::Analysis analysis)
{
    m_others->leave();
    ++m_job;  // an analysis on its way is of another run
    m_analysing = false;
    m_waiting = {};
    // The analysis points into the cells of the plan, which stay where they are when it moves.
    auto kept = std::make_shared<Kept>();
    kept->data = std::move(data);
    dropInPool(std::exchange(m_kept, kept));
    m_selected.clear();
    m_compared.clear();
    m_picture = 0;
    m_baseline = QString::fromStdString(m_kept->data.plan.preset.speedBaseline);
    keep(std::make_shared<core::Analysis>(std::move(analysis)));
    dropInPool(std::exchange(m_analysed, kept));
    m_analysedBaseline = m_baseline;
    Q_EMIT runReplaced();
    Q_EMIT analysisChanged();
    Q_EMIT selectionChanged();
}

ParkedRun RunStore::park() const
{
    ParkedRun parked;
    parked.m_kept = m_kept;
    parked.m_analysed = m_analysed;
    parked.m_analysis = m_analysis;
    parked.m_waiting = m_waiting;
    parked.m_baseline = m_baseline;
    parked.m_selected = m_selected;
    parked.m_compared = m_compared;
    parked.m_picture = m_picture;
    return parked;
}

void RunStore::setRun(ParkedRun run)
{
    m_others->leave();
    ++m_job;
    m_analysing = false;
    m_waiting = std::move(run.m_waiting);
    dropInPool(std::exchange(m_kept, std::move(run.m_kept)));
    dropInPool(std::exchange(m_analysed, std::move(run.m_analysed)));
    m_baseline = run.m_baseline;
    m_selected = run.m_selected;
    m_compared = run.m_compared;
    m_picture = run.m_picture;
    keep(std::move(run.m_analysis));
    Q_EMIT runReplaced();
    Q_EMIT analysisChanged();
    Q_EMIT selectionChanged();
    // What had come before it was parked may not be analysed yet.
    scheduleAnalysis();
    addWaiting();
}

void ParkedRun::setRun(core::RunData data, core::Analysis analysis)
{
    m_kept = std::make_shared<RunStore::Kept>();
    m_kept->data = std::move(data);
    m_analysed = m_kept;
    m_analysis = std::make_shared<core::Analysis>(std::move(analysis));
    m_waiting = {};
    m_baseline = QString::fromStdString(m_kept->data.plan.preset.speedBaseline);
}

void ParkedRun::addMeasurement(core::Measurement row)
{
    m_waiting.measurements.push_back(std::move(row));
}

void ParkedRun::addQuality(core::OutputQuality quality)
{
    m_waiting.qualities.push_back(std::move(quality));
}

void ParkedRun::addEvent(core::RunEvent event)
{
    m_waiting.events.push_back(std::move(event));
}

void ParkedRun::growPlan(core::Plan plan)
{
    m_waiting.plan = std::move(plan);
}

const core::Plan& ParkedRun::plan() const
{
    return m_waiting.plan.cells.empty() ? m_kept->data.plan : m_waiting.plan;
}

void RunStore::addMeasurement(core::Measurement row)
{
    if (mustWait()) {
        m_waiting.measurements.push_back(std::move(row));
        return;
    }
    m_kept->data.measurements.push_back(std::move(row));
    scheduleAnalysis();
}

void RunStore::addQuality(core::OutputQuality quality)
{
    if (mustWait()) {
        m_waiting.qualities.push_back(std::move(quality));
        return;
    }
    m_kept->data.qualities.push_back(std::move(quality));
    scheduleAnalysis();
}

void RunStore::addEvent(core::RunEvent event)
{
    if (mustWait()) {
        m_waiting.events.push_back(std::move(event));
        return;
    }
    m_kept->data.events.push_back(std::move(event));
}

void RunStore::growPlan(core::Plan plan)
{
    if (mustWait()) {
        m_waiting.plan = std::move(plan);
        return;
    }
    // The analysis in force points into the plan of before, which lives on until the next one; the
    // rows move on.
    auto grown = std::make_shared<Kept>();
    core::Plan before = std::exchange(m_kept->data.plan, {});
    grown->data = std::exchange(m_kept->data, {});
    m_kept->data.plan = std::move(before);
    grown->data.plan = std::move(plan);
    m_kept = std::move(grown);
    analyseNow();
}

void RunStore::setBaseline(const QString& baseline)
{
    if (baseline == m_baseline)
        return;
    m_baseline = baseline;
    analyseNow();
}

void RunStore::selectCell(const QString& id)
{
    if (id == m_selected)
        return;
    m_selected = id;
    Q_EMIT selectionChanged();
}

void RunStore::compareWith(const QString& id)
{
    if (id == m_compared)
        return;
    m_compared = id;
    Q_EMIT selectionChanged();
}

void RunStore::selectPicture(int picture)
{
    if (picture == m_picture)
        return;
    m_picture = picture;
    Q_EMIT selectionChanged();
}

void RunStore::scheduleAnalysis()
{
    // Rows and qualities come in bursts; one analysis per turn of the event loop serves them all.
    if (m_analysisPending)
        return;
    m_analysisPending = true;
    QMetaObject::invokeMethod(this, &RunStore::analyseNow, Qt::QueuedConnection);
}

void RunStore::analyseNow()
{
    m_analysisPending = false;
    if (m_analysing)
        return;  // addWaiting() looks again
    m_analysing = true;
    m_analysedBaseline = m_baseline;
    inBackground(
        this,
        [data = snapshot(), baseline = m_baseline.toStdString()]() mutable {
            auto analysis = std::make_shared<const core::Analysis>(core::analyse(*data, baseline));
            // Before the answer is out: what came meanwhile waits for this reader, too.
            data.reset();
            return analysis;
        },
        [this, job = ++m_job](std::shared_ptr<const core::Analysis> analysis) {
            if (job != m_job)
                return;
            m_analysing = false;
            if (analysis != nullptr)
                accept(std::move(analysis));
            addWaiting();
            if (isAnalysed())
                Q_EMIT analysed();
        });
}

bool RunStore::isAnalysed() const
{
    return !m_analysisPending && !m_analysing && m_waiting.plan.cells.empty() &&
           m_waiting.measurements.empty() && m_waiting.qualities.empty() &&
           m_waiting.events.empty();
}

void RunStore::keep(std::shared_ptr<const core::Analysis> analysis)
{
    dropInPool(std::exchange(m_analysis, std::move(analysis)));
    ++m_revision;
}

void RunStore::accept(std::shared_ptr<const core::Analysis> analysis)
{
    keep(std::move(analysis));
    dropInPool(std::exchange(m_analysed, m_kept));
    Q_EMIT analysisChanged();
}

void RunStore::addWaiting()
{
    if (mustWait())
        return;
    core::RunData waiting = std::exchange(m_waiting, {});
    if (!waiting.plan.cells.empty())
        growPlan(std::move(waiting.plan));
    for (core::Measurement& row : waiting.measurements)
        addMeasurement(std::move(row));
    for (core::OutputQuality& quality : waiting.qualities)
        addQuality(std::move(quality));
    for (core::RunEvent& event : waiting.events)
        addEvent(std::move(event));
    if (m_analysedBaseline != m_baseline)
        scheduleAnalysis();
}

}  // namespace qs::widgets

#include "moc_run_store.cpp"
