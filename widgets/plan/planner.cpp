#include "widgets/plan/planner.h"

#include "core/report/words/note_text.h"
#include "core/sweep/impossible_values.h"
#include <QMetaObject>

#include <exception>
#include <utility>

namespace qs::widgets {

namespace {

// Nothing may be thrown out of a thread of the pool: that would end the program.
Planner::Answer answerOf(const Planner::Maker& maker, const core::Preset& preset,
                         const core::PlanOptions& options)
{
    try {
        return std::make_shared<core::Result<core::Plan>>(maker(preset, options));
    } catch (const std::exception& failure) {
        return std::make_shared<core::Result<core::Plan>>(core::Error{
            core::ErrorCode::Internal, std::string("planning failed: ") + failure.what()});
    }
}

ReasonTexts reasonsOf(const core::Preset& preset, const core::PlanOptions& options)
{
    try {
        ReasonTexts texts;
        for (const auto& [axis, values] : core::impossibleValues(preset, options)) {
            for (const auto& [value, reason] : values)
                texts[axis].emplace(value, core::noteText(reason));
        }
        return texts;
    } catch (const std::exception&) {
        return {};  // the plan fails for the same reason and says so
    }
}

}  // namespace

Planner::Planner(Maker maker, QObject* parent)
    : QObject(parent),
      m_maker(std::move(maker)),
      m_newest(std::make_shared<std::atomic<quint64>>(0))
{
    m_pool.setMaxThreadCount(1);
}

Planner::~Planner()
{
    ++*m_newest;
    m_pool.clear();
    m_pool.waitForDone();
}

void Planner::request(const core::Preset& preset, const core::PlanOptions& options)
{
    m_planning = true;
    const quint64 job = ++*m_newest;
    // The destructor waits for the pool, so `this` outlives the job; posted answers die with the
    // receiver.
    m_pool.start([this, job, newest = m_newest, maker = m_maker, preset, options] {
        if (*newest != job)
            return;
        const ReasonTexts reasons = reasonsOf(preset, options);
        QMetaObject::invokeMethod(
            this,
            [this, job, reasons] {
                if (*m_newest == job)
                    Q_EMIT reasonsFound(reasons);
            },
            Qt::QueuedConnection);
        const Answer answer = answerOf(maker, preset, options);
        QMetaObject::invokeMethod(
            this, [this, job, answer] { receive(job, answer); }, Qt::QueuedConnection);
    });
}

void Planner::receive(quint64 job, const Answer& answer)
{
    if (*m_newest != job)
        return;
    m_planning = false;
    Q_EMIT planned(answer);
}

}  // namespace qs::widgets

#include "moc_planner.cpp"
