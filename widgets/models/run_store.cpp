#include "widgets/models/run_store.h"

#include "core/record/measured_course.h"
#include "widgets/background/in_background.h"

#include <QMetaObject>

#include <atomic>
#include <utility>

namespace qs::widgets {

RunStore::RunStore(QObject* parent) : QObject(parent) {}

void RunStore::setRun(core::RunData data)
{
    core::Analysis analysis = core::analyse(data, data.plan.preset.speedBaseline);
    setRun(std::move(data), std::move(analysis));
}

void RunStore::setRun(core::RunData data, core::Analysis analysis)
{
    ++m_job;  // an analysis on its way is of another run
    m_analysing = false;
    m_waiting = {};
    // The analysis points into the cells of the plan, which stay where they are when it moves.
    m_data = std::make_shared<core::RunData>(std::move(data));
    m_selected.clear();
    m_compared.clear();
    m_picture = 0;
    m_baseline = QString::fromStdString(m_data->plan.preset.speedBaseline);
    m_analysis = std::move(analysis);
    m_analysed = m_data;
    m_analysedBaseline = m_baseline;
    Q_EMIT runReplaced();
    Q_EMIT analysisChanged();
    Q_EMIT selectionChanged();
}

void RunStore::addMeasurement(core::Measurement row)
{
    if (m_analysing) {
        m_waiting.measurements.push_back(std::move(row));
        return;
    }
    writable().measurements.push_back(std::move(row));
    scheduleAnalysis();
}

void RunStore::addQuality(core::PictureQuality quality)
{
    if (m_analysing) {
        m_waiting.qualities.push_back(std::move(quality));
        return;
    }
    writable().qualities.push_back(std::move(quality));
    scheduleAnalysis();
}

void RunStore::addEvent(core::RunEvent event)
{
    (m_analysing ? m_waiting : writable()).events.push_back(std::move(event));
}

void RunStore::growPlan(core::Plan plan)
{
    if (m_analysing) {
        m_waiting.plan = std::move(plan);
        return;
    }
    // The analysis in force points into the plan of before, which lives on until the next one.
    auto grown = std::make_shared<core::RunData>(*m_data);
    grown->plan = std::move(plan);
    m_data = std::move(grown);
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

core::RunData& RunStore::writable()
{
    const long ours = m_analysed == m_data ? 2 : 1;
    if (m_data.use_count() > ours)
        m_data = std::make_shared<core::RunData>(*m_data);
    // What the reader of a snapshot that is gone has read, it read before this.
    std::atomic_thread_fence(std::memory_order_acquire);
    return *m_data;
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
        return;  // accept() looks again
    if (analysisTakesLong()) {
        analyseInPool();
        return;
    }
    m_analysedBaseline = m_baseline;
    accept(core::analyse(*m_data, m_baseline.toStdString()));
}

bool RunStore::analysisTakesLong() const
{
    std::size_t samples = 0;
    for (const core::Measurement& row : m_data->measurements)
        samples += core::allSamples(row.result).size();
    return m_data->measurements.size() >= kRowsForPool || samples >= kSamplesForPool;
}

void RunStore::analyseInPool()
{
    m_analysing = true;
    m_analysedBaseline = m_baseline;
    inBackground(
        this,
        [data = snapshot(), baseline = m_baseline.toStdString()]() mutable {
            auto analysis = std::make_shared<core::Analysis>(core::analyse(*data, baseline));
            // Before the answer is out: a snapshot that lives on would have the data copied.
            data.reset();
            return analysis;
        },
        [this, job = ++m_job](const std::shared_ptr<core::Analysis>& analysis) {
            if (job != m_job)
                return;
            m_analysing = false;
            if (analysis != nullptr)
                accept(std::move(*analysis));
            addWaiting();
        });
}

void RunStore::accept(core::Analysis analysis)
{
    m_analysis = std::move(analysis);
    m_analysed = m_data;
    Q_EMIT analysisChanged();
}

void RunStore::addWaiting()
{
    core::RunData waiting = std::exchange(m_waiting, {});
    if (!waiting.plan.cells.empty())
        growPlan(std::move(waiting.plan));
    for (core::Measurement& row : waiting.measurements)
        addMeasurement(std::move(row));
    for (core::PictureQuality& quality : waiting.qualities)
        addQuality(std::move(quality));
    for (core::RunEvent& event : waiting.events)
        addEvent(std::move(event));
    if (m_analysedBaseline != m_baseline)
        scheduleAnalysis();
}

}  // namespace qs::widgets
