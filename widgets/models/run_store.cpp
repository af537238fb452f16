#include "widgets/models/run_store.h"

#include <QMetaObject>

namespace qs::widgets {

RunStore::RunStore(QObject* parent) : QObject(parent) {}

void RunStore::setRun(core::RunData data)
{
    m_data = std::move(data);
    m_selected.clear();
    m_compared.clear();
    m_picture = 0;
    m_baseline = QString::fromStdString(m_data.plan.preset.speedBaseline);
    m_analysis = core::analyse(m_data, m_baseline.toStdString());
    Q_EMIT runReplaced();
    Q_EMIT analysisChanged();
    Q_EMIT selectionChanged();
}

void RunStore::addMeasurement(core::Measurement row)
{
    m_data.measurements.push_back(std::move(row));
    scheduleAnalysis();
}

void RunStore::addQuality(core::PictureQuality quality)
{
    m_data.qualities.push_back(std::move(quality));
    scheduleAnalysis();
}

void RunStore::addEvent(core::RunEvent event)
{
    m_data.events.push_back(std::move(event));
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
    m_analysis = core::analyse(m_data, m_baseline.toStdString());
    Q_EMIT analysisChanged();
}

}  // namespace qs::widgets
